import type { Type } from '@nestjs/common';
import { pathId } from '../../api/ports/not-found';
import { AccountsPort } from '../../api/ports/accounts.port';
import { CategoriesPort } from '../../api/ports/categories.port';
import { CostCentersPort } from '../../api/ports/cost-centers.port';
import { CustomersPort } from '../../api/ports/customers.port';
import { OrganizationsPort } from '../../api/ports/organizations.port';
import { PaymentsPort } from '../../api/ports/payments.port';
import { ReceiptsPort } from '../../api/ports/receipts.port';
import { SchedulesPort } from '../../api/ports/schedules.port';
import { SuppliersPort } from '../../api/ports/suppliers.port';
import { listQuery } from '../reads/remote-page';
import type { RemoteFinanceGateway } from './remote-finance-gateway';

type Gateway = RemoteFinanceGateway;

/** The ports over a remote finance service: each method passes its arguments to the operation that it names. */
export const REMOTE_PORTS: readonly [port: Type, over: (gateway: Gateway) => object][] = [
  [AccountsPort as Type, accounts],
  [CategoriesPort as Type, categories],
  [CostCentersPort as Type, costCenters],
  [CustomersPort as Type, customers],
  [OrganizationsPort as Type, organizations],
  [PaymentsPort as Type, payments],
  [ReceiptsPort as Type, receipts],
  [SchedulesPort as Type, schedules],
  [SuppliersPort as Type, suppliers],
];

function accounts(gateway: Gateway): AccountsPort {
  return {
    create: (organization, account) => gateway.create(organization, 'accounts.create', account),
    list: (organization, list) => gateway.page(organization, 'accounts.list', list),
    listBalances: (organization, list) => gateway.page(organization, 'accounts.listBalances', list),
    async update(organization, accountId, account) {
      const path = { AccountId: pathId(accountId, 'account') };
      return gateway.change(organization, 'accounts.update', path, account);
    },
    transfer: (organization, transfer) => gateway.change(organization, 'accounts.transfer', {}, transfer),
  };
}

function categories(gateway: Gateway): CategoriesPort {
  return {
    list: (organization, list) => gateway.page(organization, 'categories.list', list),
    async get(organization, categoryId) {
      const path = { CategoryId: pathId(categoryId, 'category') };
      return gateway.record(organization, 'categories.get', path);
    },
  };
}

function costCenters(gateway: Gateway): CostCentersPort {
  return {
    list: (organization, list) => gateway.page(organization, 'costCenters.list', list),
    async get(organization, costCenterId) {
      const path = { CostCenterId: pathId(costCenterId, 'cost center') };
      return gateway.record(organization, 'costCenters.get', path);
    },
    async update(organization, costCenterId, body) {
      const path = { CostCenterId: pathId(costCenterId, 'cost center') };
      return gateway.change(organization, 'costCenters.update', path, body);
    },
  };
}

function customers(gateway: Gateway): CustomersPort {
  return {
    create: (organization, customer) => gateway.create(organization, 'customers.create', customer),
    list: (organization, list) => gateway.page(organization, 'customers.list', list),
    async get(organization, customerId) {
      const path = { CustomerId: pathId(customerId, 'customer') };
      return gateway.record(organization, 'customers.get', path);
    },
    async update(organization, customerId, body) {
      const path = { CustomerId: pathId(customerId, 'customer') };
      return gateway.change(organization, 'customers.update', path, body);
    },
  };
}

function organizations(gateway: Gateway): OrganizationsPort {
  return { list: (organization, list) => gateway.page(organization, 'organizations.list', list) };
}

function payments(gateway: Gateway): PaymentsPort {
  return {
    list: (organization, list) => gateway.page(organization, 'payments.list', list),
    register: (organization, payment) => gateway.create(organization, 'payments.register', payment),
    async remove(organization, scheduleId, paymentId, body) {
      const path = {
        ScheduleId: pathId(scheduleId, 'debit schedule'),
        PaymentId: pathId(paymentId, 'payment of this schedule'),
      };
      return gateway.change(organization, 'payments.remove', path, body);
    },
  };
}

function receipts(gateway: Gateway): ReceiptsPort {
  return {
    list: (organization, list) => gateway.page(organization, 'receipts.list', list),
    register: (organization, receipt) => gateway.create(organization, 'receipts.register', receipt),
    async registerForSchedule(organization, scheduleId, receipt) {
      const path = { ScheduleId: pathId(scheduleId, 'credit schedule') };
      return gateway.change(organization, 'receipts.registerForSchedule', path, receipt);
    },
  };
}

function schedules(gateway: Gateway): SchedulesPort {
  return {
    createCredit: (organization, schedule) =>
      gateway.create(organization, 'schedules.createCredit', schedule),
    async listOfCustomer(organization, customerId, list) {
      const path = { CustomerId: pathId(customerId, 'customer') };
      return gateway.array(organization, 'schedules.listOfCustomer', path, list);
    },
    listDebit: (organization, list) => gateway.page(organization, 'schedules.listDebit', list),
    listCredit: (organization, list) => gateway.page(organization, 'schedules.listCredit', list),
    listOpenCredit: (organization, list) => gateway.page(organization, 'schedules.listOpenCredit', list),
    async getCredit(organization, scheduleId) {
      const path = { ScheduleId: pathId(scheduleId, 'credit schedule') };
      return gateway.record(organization, 'schedules.getCredit', path);
    },
    async getDebit(organization, scheduleId) {
      const path = { ScheduleId: pathId(scheduleId, 'debit schedule') };
      return gateway.record(organization, 'schedules.getDebit', path);
    },
    listOverdueCredit: (organization, list) =>
      gateway.page(organization, 'schedules.listOverdueCredit', list),
    nextOpenDebit(organization, { filter }) {
      const query = listQuery(filter === undefined ? {} : { filter });
      return gateway.record(organization, 'schedules.nextOpenDebit', {}, query);
    },
  };
}

function suppliers(gateway: Gateway): SuppliersPort {
  return { list: (organization, list) => gateway.page(organization, 'suppliers.list', list) };
}
