import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { sealedAnew, SealError } from '../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import type { SealedRecord, SealedRecords } from '../database/sealed-records';
import { SourceAccess } from '../deliveries/fetch-back/source-access.repository';
import { SourceCredentials } from '../deliveries/source-credentials.repository';
import { SourcesRepository } from '../deliveries/sources.repository';
import { ConnectionsRepository } from '../finance/remote/connections/connections.repository';
import { ErasureRequests } from '../privacy/requests/erasures.repository';
import { DocumentKeys } from '../organizations/document-keys.repository';
import { NotificationEndpoints } from '../notifications/endpoints.repository';

/** Records read at once, at most. */
const PAGE = 100;
/** Milliseconds between runs: a replica with the key before may have sealed something meanwhile. */
const EVERY_MS = 60_000;

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

  constructor(
    settings: Settings,
    sources: SourcesRepository,
    credentials: SourceCredentials,
    access: SourceAccess,
    connections: ConnectionsRepository,
    endpoints: NotificationEndpoints,
    erasures: ErasureRequests,
    documentKeys: DocumentKeys,
  ) {
    this.tables = [sources, credentials, access, connections, endpoints, erasures, documentKeys];
    this.keys = () => secretsKeysOf(settings);
  }

  /**
   * Before anything else is read or written: makes sure that all can be opened.
   * @throws SealError when something is sealed with a key that is not at hand
   */
  async start(): Promise<void> {
    const [unreadable] = await this.pass();
    if (unreadable) throw unreadable;
    this.started = true;
  }

  /** Replicas with the key before may go on sealing with it for as long as they run. */
  @Interval(EVERY_MS)
  async run(): Promise<void> {
    if (!this.started || this.keys().previous.length === 0) return;
    try {
      const unreadable = await this.pass();
      if (unreadable[0]) this.logger.error({ msg: unreadable[0].message, records: unreadable.length });
    } catch (error) {
      this.logger.warn({
        msg: 'secret re-encryption: secrets could not be encrypted with the current SECRETS_KEY; tried again in a minute',
        err: error,
      });
    }
  }

  /** @returns why some records cannot be opened, one error for each */
  private async pass(): Promise<SealError[]> {
    const unreadable: SealError[] = [];
    let records = 0;
    for (const table of this.tables)
      for await (const record of recordsOf(table))
        try {
          const anew = sealedAnew(record, this.keys());
          if (anew && (await table.replaceSealed(record, anew))) records += 1;
        } catch (error) {
          if (!(error instanceof SealError)) throw error;
          unreadable.push(error);
        }
    const msg = 'secret re-encryption: secrets are now encrypted with the current SECRETS_KEY';
    if (records > 0) this.logger.log({ msg, records });
    return unreadable;
  }
}

/** All of a table, read in pages. */
export async function* recordsOf(table: SealedRecords): AsyncGenerator<SealedRecord> {
  let after: string | undefined;
  do {
    const page = await table.sealedRecords(after, PAGE);
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}
