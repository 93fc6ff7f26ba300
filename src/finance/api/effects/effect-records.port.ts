import type { Transaction } from '../../../database/transaction';

/** What is known of an effect that was tried before. */
export interface RecordedEffect {
  operation: string;
  /**
   * `applied` is done for ever, and `refused` surely not done. With a remote finance service also: `intended`, under
   * way; `unknown`, being found out or for a person to decide; `abandoned`, given up by a person.
   */
  state: 'intended' | 'applied' | 'refused' | 'unknown' | 'abandoned';
  /** What it amounts to, in minor units; null: it is about no amount. */
  amountMinor: bigint | null;
  /** The run that applied it, or tried to. */
  runId: string;
}

/** Reads what became of effects, wherever they are applied. */
export abstract class EffectRecords {
  /** @returns by business key; a key that was never tried is left out */
  abstract find(
    tx: Transaction,
    organizationId: string,
    keys: readonly string[],
  ): Promise<Map<string, RecordedEffect>>;
}
