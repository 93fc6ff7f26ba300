import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Settings } from '../../../src/config/settings';
import { Database } from '../../../src/database/database';
import { AccountsPort } from '../../../src/finance/api/ports/accounts.port';
import { CategoriesPort } from '../../../src/finance/api/ports/categories.port';
import { CostCentersPort } from '../../../src/finance/api/ports/cost-centers.port';
import { CustomersPort } from '../../../src/finance/api/ports/customers.port';
import { FinanceModule } from '../../../src/finance/finance.module';
import { CountRollup } from '../../../src/finance/embedded/counts/count-rollup';
import { BalanceRollup } from '../../../src/finance/embedded/accounts/balance-rollup';
import type { Rollup } from '../../../src/finance/embedded/ledger/rollup';
import { Payables } from '../../../src/finance/embedded/payables/payables';
import { PaymentsPort } from '../../../src/finance/api/ports/payments.port';
import { ReceiptsPort } from '../../../src/finance/api/ports/receipts.port';
import { SchedulesPort } from '../../../src/finance/api/ports/schedules.port';
import { SuppliersPort } from '../../../src/finance/api/ports/suppliers.port';
import { LimitsModule } from '../../../src/http/limits.module';
import { CalendarDate } from '../../../src/kernel/calendar-date';
import { Clock, SharedClock } from '../../../src/kernel/clock';
import { newId } from '../../../src/kernel/identifier';
import { Money } from '../../../src/kernel/money';
import type { Organization } from '../../../src/kernel/organization';
import { Problem } from '../../../src/kernel/problem';
import { OrganizationsModule } from '../../../src/organizations/organizations.module';
import { OpsModule } from '../../../src/ops/ops.module';
import { Company } from '../../support/company';
import { Books, type ModelCategory } from './books';
import { OwnClock } from '../../support/shared-clock';

const FIRST_DAY = '2026-03-10';

/** Noon of a day in São Paulo, until it is moved on. */
class MovableClock extends Clock {
  today = FIRST_DAY;

  now(): Date {
    return new Date(`${this.today}T15:00:00Z`);
  }
}

/** The finance interface as it runs. Companies use it one after another: there is one clock. */
export class Interface {
  private constructor(
    readonly database: Database,
    readonly module: TestingModule,
    readonly clock: MovableClock,
  ) {}

  static async over(database: Database): Promise<Interface> {
    const clock = new MovableClock();
    return new Interface(database, await moduleOver(database, clock), clock);
  }
}

/** The finance interface for one company of its own, and beside it what its books must say. */
export class World {
  private constructor(
    private readonly served: Interface,
    readonly organization: Organization,
    readonly books: Books,
  ) {}

  static async found(served: Interface): Promise<World> {
    const { database, clock } = served;
    clock.today = FIRST_DAY;
    const { organization } = await Company.found(database);
    const { prisma } = database;
    const where = { organizationId: organization.id };
    await prisma.costCenter.createMany({
      data: ['Shop', 'Workshop'].map((description) => ({ ...where, id: newId(), description })),
    });
    const categories = await prisma.category.findMany({
      where,
      orderBy: { id: 'asc' },
      include: { group: true },
    });
    const costCenters = await prisma.costCenter.findMany({ where, orderBy: { id: 'asc' } });
    const accounts = await prisma.account.findMany({ where, orderBy: { id: 'asc' } });
    const books = new Books(
      categories.map(({ id, name, referenceCode, type, group }) => ({
        id,
        name,
        referenceCode,
        type: type as ModelCategory['type'],
        group: { id: group.id, name: group.name, referenceCode: group.referenceCode },
      })),
      costCenters.map(({ id, description, externalCode }) => ({
        id,
        description,
        externalCode: externalCode ?? undefined,
      })),
      FIRST_DAY,
    );
    const suppliers = ['Paper', 'Power', 'Rent'].map((name) => ({ id: newId(), name }));
    await prisma.stakeholder.createMany({
      data: suppliers.map((supplier) => ({ ...where, ...supplier, kind: 'supplier' as const })),
    });
    books.suppliers.push(...suppliers);
    for (const { id, name, openBalanceMinor, openedOn } of accounts) {
      books.openAccount({
        id,
        name,
        openBalance: Number(openBalanceMinor),
        openedOn: openedOn.toISOString().slice(0, 10),
      });
    }
    return new World(served, organization, books);
  }

  get database(): Database {
    return this.served.database;
  }

  get categories(): CategoriesPort {
    return this.served.module.get(CategoriesPort);
  }

  get customers(): CustomersPort {
    return this.served.module.get(CustomersPort);
  }

  get accounts(): AccountsPort {
    return this.served.module.get(AccountsPort);
  }

  get schedules(): SchedulesPort {
    return this.served.module.get(SchedulesPort);
  }

  get receipts(): ReceiptsPort {
    return this.served.module.get(ReceiptsPort);
  }

  get payments(): PaymentsPort {
    return this.served.module.get(PaymentsPort);
  }

  get payables(): Payables {
    return this.served.module.get(Payables);
  }

  get suppliers(): SuppliersPort {
    return this.served.module.get(SuppliersPort);
  }

  get costCenters(): CostCentersPort {
    return this.served.module.get(CostCentersPort);
  }

  get rollups(): Rollup[] {
    const { database, clock } = this.served;
    return [new BalanceRollup(database, clock), new CountRollup(database)];
  }

  moveOn(today: string): void {
    this.books.today = today;
    this.served.clock.today = today;
  }

  /**
   * Does something on the books that run and compares what came of it.
   * @param refusals the rules that are broken; whichever the refusal names must be one of them. Empty: it must
   *   succeed.
   * @returns what it returned; undefined when it was refused, as it had to be
   */
  async expect<T>(refusals: readonly string[], action: () => Promise<T>): Promise<{ value: T } | undefined> {
    const outcome = await outcomeOf(action);
    if ('value' in outcome && refusals.length === 0) return outcome;
    const actual = 'value' in outcome ? 'success' : outcome.refusal;
    if (refusals.includes(actual)) return undefined;
    throw new Error(`was ${actual}; must be ${refusals.join(' or ') || 'success'}`);
  }
}

/** How a refusal is told: its code and the members a client may rely on. */
export function refusal(code: string, members: Record<string, unknown> = {}): string {
  return `${code} ${JSON.stringify(members)}`;
}

/** Cents as the doubles of the wire. */
export function wire(cents: number): number {
  return cents === 0 ? 0 : cents / 100;
}

/** Midnight in São Paulo, where the clocks have not been changed since 2019. */
export function wireDay(date: string): string {
  return `${date}T00:00:00-03:00`;
}

export function money(cents: number): Money {
  return Money.ofMinor(BigInt(cents), 'BRL');
}

export function day(date: string): CalendarDate {
  return CalendarDate.parse(date);
}

async function outcomeOf<T>(action: () => Promise<T>): Promise<{ value: T } | { refusal: string }> {
  try {
    return { value: await action() };
  } catch (error) {
    if (error instanceof Problem) return { refusal: refusal(error.code, error.extras.members) };
    throw error;
  }
}

async function moduleOver(database: Database, clock: Clock): Promise<TestingModule> {
  const settings = new Settings({});

  @Global()
  @Module({
    providers: [
      { provide: Database, useValue: database },
      { provide: Settings, useValue: settings },
      { provide: Clock, useValue: clock },
      { provide: SharedClock, useValue: new OwnClock(clock) },
    ],
    exports: [Database, Settings, Clock, SharedClock],
  })
  class SurroundingsModule {}

  return Test.createTestingModule({
    imports: [SurroundingsModule, OrganizationsModule, LimitsModule, OpsModule, FinanceModule.for(settings)],
  }).compile();
}
