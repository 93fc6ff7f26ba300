import type { BenchContext } from '../context';
import type { ProcessUse } from '../part';
import { alternate } from './statistics';

/** One contender in one round. */
export interface Run {
  perSecond: number;
  /** Milliseconds; absent where it was not measured. */
  p50?: number;
  p99?: number;
  /** Requests, transactions or orders. */
  count: number;
  use: readonly ProcessUse[];
}

/** Contenders one after another, round after round, each after a checkpoint, so that none pays for what another wrote. */
export async function contest<Name extends string>(
  context: BenchContext,
  contenders: Readonly<Record<Name, () => Promise<Run>>>,
): Promise<Record<Name, Run[]>> {
  const entries = Object.entries<() => Promise<Run>>(contenders).map(([name, contender]) => {
    const timed = async (): Promise<Run> => {
      await context.postgres.checkpoint();
      const run = await contender();
      context.say(`  ${name}: ${Math.round(run.perSecond)}/s`);
      return run;
    };
    return [name, timed] as const;
  });
  return alternate(context.rounds, Object.fromEntries(entries) as Record<Name, () => Promise<Run>>);
}
