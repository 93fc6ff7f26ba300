import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Database } from '../../src/database/database';
import type { EffectRequest, EffectResult, PlannedEffect } from '../../src/finance/api/effects/effect';
import type { EffectInputs } from '../../src/finance/api/effects/registry';
import { EffectsEmbedded } from '../../src/finance/embedded/effects/effects.embedded';
import { applyChart, type Chart } from '../../src/finance/embedded/chart/chart';
import { readChart } from '../../src/finance/embedded/chart/read-chart';
import { verifyCounts } from '../../src/finance/embedded/counts/counts.repository';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { Clock } from '../../src/kernel/clock';
import { newId } from '../../src/kernel/identifier';
import type { Organization } from '../../src/kernel/organization';

const CHART = join(__dirname, '..', '..', 'config', 'chart', 'brazil.yaml');

let parsedChart: unknown;

/** The chart that comes with the product, anew each time: its file is parsed once. */
export function brazilianChart(): Chart {
  parsedChart ??= parse(readFileSync(CHART, 'utf8'));
  return readChart(parsedChart, 'brazil.yaml');
}

/** Read once: parsing it takes tens of milliseconds. Nobody changes this one. */
let foundingChart: Chart | undefined;

/** Noon of 10 March 2026 in São Paulo, for ever. */
export class StoppedClock extends Clock {
  now(): Date {
    return new Date('2026-03-10T15:00:00Z');
  }
}

/** A company with the Brazilian chart, and effects on its books. */
export class Company {
  readonly applier = new EffectsEmbedded(new StoppedClock());

  private constructor(
    readonly database: Database,
    readonly organization: Organization,
  ) {}

  static async found(database: Database, fields: Partial<Organization> = {}): Promise<Company> {
    const id = newId();
    const organization: Organization = {
      id,
      slug: `company-${id}`,
      name: 'A company',
      timeZone: 'America/Sao_Paulo',
      currency: 'BRL',
      ...fields,
    };
    await database.prisma.organization.create({ data: organization });
    const chart = (foundingChart ??= brazilianChart());
    await database.transaction((tx) => applyChart(tx, organization, chart, new Date()));
    return new Company(database, organization);
  }

  /** The same company seen by another replica. */
  on(database: Database): Company {
    return new Company(database, this.organization);
  }

  request(effect: PlannedEffect): EffectRequest {
    return { organization: this.organization, effect, runId: newId(), step: 'a-step' };
  }

  apply(...effects: PlannedEffect[]): Promise<EffectResult[]> {
    const requests = effects.map((effect) => this.request(effect));
    return this.database.transaction((tx) => this.applier.apply(tx, requests));
  }

  /** A customer there was none of before. @returns its UUID */
  async customer(input: Partial<EffectInputs['customer.ensure']> = {}): Promise<string> {
    const [result] = await this.apply(customerEffect(`customer/${newId()}`, input));
    return outputOf(result).id!;
  }

  /** Schedules of one new receivable. @returns their UUIDs */
  async schedules(
    input: Partial<EffectInputs['credit-schedule.create']> & { customer: string },
  ): Promise<string[]> {
    const [result] = await this.apply(scheduleEffect(`schedule/${newId()}`, input));
    return outputOf(result).all!;
  }

  /** Minor units that are open, in the order given. */
  async open(ids: readonly string[]): Promise<bigint[]> {
    const rows = await this.database.prisma.schedule.findMany({ where: { id: { in: [...ids] } } });
    return ids.map((id) => rows.find((row) => row.id === id)!.openMinor);
  }

  /** Balance in minor units of an account by its code. */
  async balance(code = 'main'): Promise<bigint> {
    const { id } = await this.database.prisma.account.findFirstOrThrow({
      where: { organizationId: this.organization.id, code },
    });
    return (await readBalances(this.database.prisma, [id])).get(id)!;
  }

  /** @throws when a number does not follow from the ledger's entries, or a count from the records */
  async verify(): Promise<void> {
    const { difference } = await verifyLedger(this.database.prisma);
    expect(difference).toBeUndefined();
    expect(await verifyCounts(this.database.prisma)).toBeUndefined();
  }
}

export function customerEffect(
  key: string,
  input: Partial<EffectInputs['customer.ensure']> = {},
): PlannedEffect {
  return { key, operation: 'customer.ensure', input: { name: 'Lia Campos', ...input } };
}

/** 100.00 due on 10 April 2026 unless said otherwise. */
export function scheduleEffect(
  key: string,
  input: Partial<EffectInputs['credit-schedule.create']> & { customer: string },
): PlannedEffect {
  const value = input.value ?? '100.00';
  return {
    key,
    operation: 'credit-schedule.create',
    amount: value,
    input: { value, dueDate: '2026-04-10', description: 'Order 1', reference: key, ...input },
  };
}

/** Received on 10 March 2026 on the account `main` unless said otherwise. */
export function receiptEffect(
  key: string,
  input: Partial<EffectInputs['receipt.allocate']> & { schedules: string[]; value: string },
): PlannedEffect {
  return {
    key,
    operation: 'receipt.allocate',
    amount: input.value,
    input: { date: '2026-03-10', account: 'main', identifier: key, ...input },
  };
}

/** What an effect came to. @throws when it was not applied */
export function outputOf(result: EffectResult | undefined): { id?: string; all?: string[] } {
  if (!result || !('output' in result)) throw new Error(`not applied: ${result?.reason}`);
  return result.output;
}
