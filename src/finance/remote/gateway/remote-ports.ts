import type { Type } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { SERVED, type ServedOperation } from '../../api/operations/operations';
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
import type { RemoteFinanceGateway } from './remote-finance-gateway';

/** The ports, with the resource that the names of their operations begin with. */
export const REMOTE_PORTS: readonly [port: Type, resource: string][] = [
  [AccountsPort as Type, 'accounts'],
  [CategoriesPort as Type, 'categories'],
  [CostCentersPort as Type, 'costCenters'],
  [CustomersPort as Type, 'customers'],
  [OrganizationsPort as Type, 'organizations'],
  [PaymentsPort as Type, 'payments'],
  [ReceiptsPort as Type, 'receipts'],
  [SchedulesPort as Type, 'schedules'],
  [SuppliersPort as Type, 'suppliers'],
];

/** What an identifier in a path names, for a person. */
const NAMED: Readonly<Record<string, string>> = {
  AccountId: 'account',
  CategoryId: 'category',
  CostCenterId: 'cost center',
  CustomerId: 'customer',
  PaymentId: 'payment of this schedule',
};

/**
 * A port over a remote finance service: each method asks for the operation of its name in the operations table. Its
 * arguments are the organization, the identifiers of the path in their order, and a body or the options of a list.
 */
export function remotePort(gateway: RemoteFinanceGateway, resource: string): object {
  const own = SERVED.filter(({ id }) => id.startsWith(`${resource}.`));
  return Object.fromEntries(own.map((row) => [row.id.slice(resource.length + 1), methodOf(gateway, row)]));
}

function methodOf(gateway: RemoteFinanceGateway, row: ServedOperation) {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const schedule = row.path.startsWith('/schedules/debit') ? 'debit schedule' : 'credit schedule';
  return async (organization: Organization, ...given: unknown[]): Promise<unknown> => {
    const path = names.map((name, index) => [name, pathId(String(given[index]), NAMED[name] ?? schedule)]);
    const bodyOrList = given[names.length] as object | undefined;
    return gateway.perform(organization, row, Object.fromEntries(path) as Record<string, string>, bodyOrList);
  };
}
