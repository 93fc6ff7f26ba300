import type { Sealed } from '../config/sealing';

export interface SealedRecord extends Sealed {
  /** Orders and names the record. */
  readonly id: string;
}

/** A table with an encrypted column, which can be encrypted anew with another key. */
export interface SealedRecords {
  /** In the order of their identifiers. @param after only those beyond it */
  sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]>;

  /**
   * One statement of its own, which waits for nothing while it has rows locked.
   * @returns false when somebody changed the record meanwhile: then it stays as they left it
   */
  replaceSealed(record: SealedRecord, anew: Uint8Array): Promise<boolean>;
}
