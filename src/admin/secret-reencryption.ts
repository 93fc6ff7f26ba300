import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { sealedAnew, SealError } from '../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import type { SealedRecord, SealedRecords } from '../database/sealed-records';
import { SourcesRepository } from '../deliveries/sources.repository';
import { ConnectionsRepository } from '../finance/remote/connections/connections.repository';

/** Records read at once, at most. */
const PAGE = 100;
/** Milliseconds between looks for what a replica with the key before has sealed meanwhile. */
const LOOK_MS = 60_000;

/** What one pass over everything sealed came to. */
interface Pass {
  /** How many records were sealed anew. */
  anew: number;
  unreadable: SealError[];
}

/**
 * Seals anew, with the current key, what is sealed with a previous one. Each record is replaced only if it is as it
 * was read, so that any number of replicas may do it at once, and one that is killed leaves a mixture which both keys
 * together open.
 */
@Injectable()
export class SecretReencryption {
  private readonly logger = new Logger(SecretReencryption.name);
  private readonly tables: readonly SealedRecords[];
  private readonly keys: () => SecretsKeys;
  private started = false;

  constructor(settings: Settings, sources: SourcesRepository, connections: ConnectionsRepository) {
    this.tables = [sources, connections];
    this.keys = () => secretsKeysOf(settings);
  }

  /**
   * Before anything else is read or written: makes sure that all can be opened.
   * @throws SealError when something is sealed with a key that is not at hand
   */
  async start(): Promise<void> {
    const { unreadable } = await this.pass();
    if (unreadable[0]) throw unreadable[0];
    this.started = true;
  }

  /** Replicas with the key before may go on sealing with it for as long as they run. */
  @Interval(LOOK_MS)
  async look(): Promise<void> {
    if (!this.started || this.keys().previous.length === 0) return;
    try {
      const { unreadable } = await this.pass();
      for (const { message } of unreadable.slice(0, 1))
        this.logger.error({ msg: message, records: unreadable.length });
    } catch (error) {
      this.logger.warn({
        msg: 'secret re-encryption: secrets could not be encrypted with the current SECRETS_KEY; tried again in a minute',
        err: error,
      });
    }
  }

  private async pass(): Promise<Pass> {
    const pass: Pass = { anew: 0, unreadable: [] };
    for (const table of this.tables) await this.passOver(table, pass);
    if (pass.anew > 0)
      this.logger.log({
        msg: 'secret re-encryption: secrets are now encrypted with the current SECRETS_KEY',
        records: pass.anew,
      });
    return pass;
  }

  private async passOver(table: SealedRecords, pass: Pass): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await table.sealedRecords(after, PAGE);
      pass.anew += await this.replace(table, page, pass);
      if (page.length < PAGE) return;
      after = page.at(-1)?.id;
    }
  }

  private async replace(table: SealedRecords, page: readonly SealedRecord[], pass: Pass): Promise<number> {
    let replaced = 0;
    for (const { record, anew } of page.flatMap((sealed) => this.anew(sealed, pass)))
      if (await table.replaceSealed(record, anew)) replaced += 1;
    return replaced;
  }

  private anew(record: SealedRecord, pass: Pass): { record: SealedRecord; anew: Buffer }[] {
    try {
      const anew = sealedAnew(record, this.keys());
      return anew ? [{ record, anew }] : [];
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      pass.unreadable.push(error);
      return [];
    }
  }
}
