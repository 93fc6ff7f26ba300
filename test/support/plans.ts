import type { Prisma } from '../../src/database/client/client';
import type { Transaction } from '../../src/database/transaction';

/** One step of how the database carries a statement out. Numbers of rows are of one run of it. */
export interface PlanStep {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanStep[];
}

/** Carries a statement out, with its parameters, as the service sends it. @returns the steps, the last first */
export async function planOf(
  on: Pick<Transaction, '$queryRawUnsafe'>,
  { text, values }: Prisma.Sql,
): Promise<PlanStep[]> {
  const sql = `explain (analyze, buffers, format json) ${text}`;
  const [row] = await on.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: PlanStep }[] }[]>(sql, ...values);
  return flat(row!['QUERY PLAN'][0]!.Plan);
}

function flat(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(flat)];
}

/** How many rows all steps read, whether they matched or not. */
export function rowsTouched(steps: readonly PlanStep[]): number {
  return steps.reduce((sum, step) => {
    const passedOver =
      (step['Rows Removed by Filter'] ?? 0) +
      (step['Rows Removed by Index Recheck'] ?? 0) +
      (step['Rows Removed by Join Filter'] ?? 0);
    return sum + step['Actual Loops'] * (step['Actual Rows'] + passedOver);
  }, 0);
}

/** Tables that were read from their first row to their last. */
export function tablesScanned(steps: readonly PlanStep[]): (string | undefined)[] {
  return steps
    .filter((step) => step['Node Type'] === 'Seq Scan')
    .map((step) => step['Relation Name'])
    .sort();
}
