import type { BacktestView, RepairProgressView, RepairView } from '../../src/admin/backtest/backtest.dto';
import type { TestService } from './service';
import { until } from './until';

const DAY_MS = 86_400_000;

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

/** Asks for backtests and repairs of all that arrived since it was made, as an operator does. */
export class BacktestClient {
  readonly period = { from: new Date().toISOString(), to: dayFromNow(2) };

  constructor(private readonly service: TestService) {}

  /** @param rule only this one's effects; absent: those of all rules in force */
  async backtest(fields: object = {}, rule?: string): Promise<BacktestView> {
    const path = rule === undefined ? 'backtest' : `rules/${rule}/backtest`;
    const reply = await this.service.operate('post', path, { ...this.period, ...fields });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body as BacktestView;
  }

  async plan(fields: object = {}): Promise<RepairView> {
    const reply = await this.service.operate('post', 'repair', { ...this.period, ...fields });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body as RepairView;
  }

  /** The answer to carrying a plan out, whatever it is. */
  async carryOut(plan: string, fields: object = {}): Promise<{ status: number; body: unknown }> {
    const { status, body } = await this.service.operate('post', 'repair', {
      ...{ ...this.period, dryRun: false, plan, reason: 'old orders' },
      ...fields,
    });
    return { status, body: body as unknown };
  }

  /** Plans a repair, carries it out, and waits until it is done. */
  async repair(): Promise<RepairView> {
    const { plan } = await this.plan();
    const { status, body } = await this.carryOut(plan);
    if (status !== 200) throw new Error(JSON.stringify(body));
    const repaired = body as RepairView;
    if (repaired.repair !== null) await this.done(repaired.repair);
    return repaired;
  }

  /** Waits until nothing of a repair is still to be worked on. */
  async done(repair: string): Promise<RepairProgressView> {
    let progress: RepairProgressView;
    await until(async () => {
      progress = (await this.service.admin(`repairs/${repair}`)) as RepairProgressView;
      return progress.waiting === 0;
    });
    return progress!;
  }
}

/** Of a backtest, its totals as lines: `missing payment.register 2 60.00`. */
export function totalsIn({ totals }: Pick<BacktestView, 'totals'>): string[] {
  return totals.map(({ kind, operation, count, value }) => `${kind} ${operation} ${count} ${value}`);
}
