import type { Sealed } from '../config/sealing';
import type { Transaction } from './transaction';

export interface SealedRecord extends Sealed {
  /** Orders and names the record. */
  readonly id: string;
}

/** A table that holds something sealed, so that it can be sealed anew with another key. */
export interface SealedRecords {
  /** In the order of their identifiers. @param after only those beyond it */
  sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]>;

  /** @returns false when somebody changed the record meanwhile: then it stays as they left it */
  replaceSealed(tx: Transaction, record: SealedRecord, anew: Uint8Array): Promise<boolean>;
}
