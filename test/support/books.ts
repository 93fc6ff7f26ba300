import {
  Payables,
  type NewDebitSchedule,
  type SchedulePayment,
} from '../../src/finance/embedded/payables/payables';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { Money } from '../../src/kernel/money';
import { StoppedClock, type Company } from './company';

/** What a company's books get beside what the finance interface can write. Amounts are minor units. */
export class Books {
  private readonly payables = new Payables(new StoppedClock());

  constructor(private readonly company: Company) {}

  /** @returns its UUID */
  async supplier(kind: 'supplier' | 'partner' | 'customer' = 'supplier'): Promise<string> {
    const id = newId();
    const organizationId = this.company.organization.id;
    await this.company.database.prisma.stakeholder.create({
      data: { id, organizationId, kind, name: 'Imobiliária Sul' },
    });
    return id;
  }

  /** 300.00 due on 10 April 2026 unless said otherwise. @returns its UUID */
  async payable(fields: Partial<NewDebitSchedule> = {}): Promise<string> {
    const { database, organization } = this.company;
    const schedule = {
      stakeholderId: fields.stakeholderId ?? (await this.supplier()),
      description: 'Rent',
      value: this.money(30_000n),
      dueDate: CalendarDate.of(2026, 4, 10),
      ...fields,
    };
    return database.transaction((tx) => this.payables.create(tx, organization, schedule));
  }

  /** On 10 March 2026 unless said otherwise. @returns the payment's UUID */
  pay(
    scheduleId: string,
    accountId: string,
    minor: bigint,
    fields: Partial<SchedulePayment> = {},
  ): Promise<string> {
    const { database, organization } = this.company;
    const payment = { accountId, date: CalendarDate.of(2026, 3, 10), value: this.money(minor), ...fields };
    return database.transaction((tx) => this.payables.pay(tx, organization, scheduleId, payment));
  }

  /** @returns its UUID */
  async account(fields: { openedOn?: string; name?: string } = {}): Promise<string> {
    const id = newId();
    await this.company.database.prisma.account.create({
      data: {
        id,
        organizationId: this.company.organization.id,
        name: fields.name ?? 'Caixa',
        openBalanceMinor: 0n,
        openedOn: new Date(fields.openedOn ?? '2020-01-01'),
      },
    });
    return id;
  }

  /** Balance of an account by its UUID. */
  async balance(accountId: string): Promise<bigint> {
    return (await readBalances(this.company.database.prisma, [accountId])).get(accountId)!;
  }

  money(minor: bigint): Money {
    return Money.ofMinor(minor, this.company.organization.currency);
  }
}
