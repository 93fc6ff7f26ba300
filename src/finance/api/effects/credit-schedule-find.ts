import type { FindingDeclaration } from './declaration';

export interface CreditScheduleFindInput {
  /** The business reference that the receivable carries. */
  reference: string;
  /** Business keys of effects that made more receivables. Those that are there are found as well. */
  others?: string[];
}

/** The receivable that Ponte made under the key, and those under other keys that are there. */
export const creditScheduleFind: FindingDeclaration<CreditScheduleFindInput> = {
  finds: 'receivable',
};
