import { randomUUID } from 'node:crypto';
import { Refusal } from './answer';
import type { Effect } from './judge';
import { History } from './lag';

/** A company that the service keeps books for, and how strict it is with its clients. */
export interface CompanySettings {
  /** Value of the query parameter `Organization`. */
  readonly organization: string;
  readonly apiKey: string;
  /** Refuses a second customer with the same document, with 409 and `customerId`. */
  readonly uniqueDocuments: boolean;
  /** Refuses to receive more than is open; else it takes it, and what is open goes below nothing. */
  readonly refusesOverpayment: boolean;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly categories: readonly { readonly id: string; readonly name: string; readonly type: string }[];
  readonly costCenters: readonly CostCenter[];
  readonly suppliers?: readonly {
    readonly id: string;
    readonly name: string;
    readonly document?: { readonly number: string };
  }[];
  /** What the company owes, with what it has paid of it. */
  readonly payables?: readonly Payable[];
}

export interface CostCenter {
  readonly id: string;
  readonly description: string;
  readonly externalCode?: string;
}

export interface Payable {
  readonly id: string;
  readonly description: string;
  readonly minor: number;
  readonly dueDate: string;
  readonly payments: readonly { readonly id: string; readonly accountId: string; readonly minor: number }[];
}

export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly document?: string;
}

/** Amounts are in hundredths, days are `YYYY-MM-DD`. */
export interface Schedule {
  readonly id: string;
  readonly kind: 'credit' | 'debit';
  readonly stakeholderId?: string;
  readonly description?: string;
  readonly reference?: string;
  readonly minor: number;
  openMinor: number;
  readonly scheduleDate: string;
  readonly dueDate: string;
  readonly categoryId?: string;
  readonly costCenterId?: string;
  readonly isFlagged: boolean;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly openMinor: number;
  readonly dateOfOpenBalance: string;
  balanceMinor: number;
}

/** One company's records, in memory; whatever happens to connections, nothing is forgotten. */
export class Company {
  readonly customers = new Map<string, Customer>();
  readonly schedules = new Map<string, Schedule>();
  readonly accounts = new Map<string, Account>();
  readonly costCenters = new Map<string, CostCenter>();
  /** Payments that can be removed, by id. */
  readonly payments = new Map<string, { scheduleId: string; accountId: string; minor: number }>();

  readonly history = new History();

  constructor(
    readonly settings: CompanySettings,
    private readonly record: (effects: readonly Omit<Effect, 'at'>[]) => void,
  ) {
    for (const { id, name } of settings.accounts) {
      this.accounts.set(id, { id, name, openMinor: 0, dateOfOpenBalance: '2020-01-01', balanceMinor: 0 });
    }
    for (const costCenter of settings.costCenters) this.costCenters.set(costCenter.id, costCenter);
    for (const payable of settings.payables ?? []) this.owe(payable);
  }

  /** @returns the customer with that document, where documents are unique */
  sameDocument(document: string | undefined): Customer | undefined {
    if (!this.settings.uniqueDocuments || document === undefined) return undefined;
    return [...this.customers.values()].find((customer) => customer.document === document);
  }

  /** @throws Refusal when there is none */
  account(id: string): Account {
    return this.accounts.get(id) ?? unknownRecord('account');
  }

  /** @throws Refusal when there is none of the kind */
  schedule(id: string, kind: Schedule['kind']): Schedule {
    const schedule = this.schedules.get(id);
    return schedule?.kind === kind ? schedule : unknownRecord('schedule');
  }

  /** @throws Refusal when there is none */
  customer(id: string): Customer {
    return this.customers.get(id) ?? unknownRecord('customer');
  }

  /** @throws Refusal when one is named that there is not */
  checkCodes(categoryId: string | undefined, costCenterId: string | undefined): void {
    const { categories } = this.settings;
    if (categoryId !== undefined && !categories.some(({ id }) => id === categoryId))
      unknownRecord('category');
    if (costCenterId !== undefined) this.costCenter(costCenterId);
  }

  /** @throws Refusal when there is none */
  costCenter(id: string): CostCenter {
    return this.costCenters.get(id) ?? unknownRecord('cost center');
  }

  /** Records as listings show them now, which may be as they were before. */
  listed<T extends { readonly id: string }>(records: ReadonlyMap<string, T>): T[] {
    return [...records.values()].flatMap((record) => this.history.shown(record) ?? []);
  }

  /** @throws Refusal when there is none, or it is not shown yet */
  listedCustomer(id: string): Customer {
    return this.history.shown(this.customer(id)) ?? unknownRecord('customer');
  }

  /** Writes effects down with the judge. */
  took(operation: string, effects: readonly Omit<Effect, 'operation' | 'at'>[]): void {
    this.record(effects.map((effect) => ({ operation, ...effect })));
  }

  private owe({ id, description, minor, dueDate, payments }: Payable): void {
    this.schedules.set(id, {
      id,
      kind: 'debit',
      description,
      minor,
      openMinor: minor - payments.reduce((sum, payment) => sum + payment.minor, 0),
      scheduleDate: dueDate,
      dueDate,
      isFlagged: false,
    });
    for (const payment of payments) {
      this.payments.set(payment.id, { scheduleId: id, accountId: payment.accountId, minor: payment.minor });
      this.account(payment.accountId).balanceMinor -= payment.minor;
    }
  }
}

/** A new record's identifier. */
export function newId(): string {
  return randomUUID();
}

function unknownRecord(name: string): never {
  throw new Refusal(404, 'not-found', `there is no such ${name}`);
}
