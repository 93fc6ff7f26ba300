import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Transaction } from '../database/transaction';
import { CatalogRevision } from '../organizations/catalog-revision.repository';
import { type BrokenRule, RuleLoader } from '../workflows/rule-loader';
import { type LiveSource, SourceDirectory } from './source-directory';

/** Milliseconds between polls of the revision: the greatest age of what this replica has in memory. */
const POLL_MS = 1_000;

/**
 * Keeps what this replica has in memory (sources, rules, tables) in line with the database, whichever replica
 * changed it. Webhooks are received by what was in force a second ago at most; work on deliveries takes it as of
 * its own transaction, so that what a person corrected before a retry applies to it.
 */
@Injectable()
export class Catalog {
  private readonly logger = new Logger(Catalog.name);
  private loadedRevision = -1n;
  private failing = false;
  /** Sources of unknown providers that were logged already. */
  private logged = new Set<string>();

  constructor(
    private readonly revision: CatalogRevision,
    private readonly sources: SourceDirectory,
    private readonly rules: RuleLoader,
  ) {}

  /**
   * Reads everything anew.
   * @param tx absent: outside of any transaction
   * @returns rules that cannot be put into force; their organizations keep what they had
   */
  async load(tx?: Transaction): Promise<BrokenRule[]> {
    const before = this.loadedRevision;
    // The revision first: what is read after it may be newer, and is then read once more.
    const revision = await this.revision.current(tx);
    const install = [await this.sources.read(tx), await this.rules.read(tx)] as const;
    // Of two that read at once, the older one comes too late. A lower one than before the reading began is no older one:
    // the database went back, as to a standby that had not received the last changes.
    if (revision < this.loadedRevision && this.loadedRevision !== before) return [];
    this.loadedRevision = revision;
    this.log(install[0]());
    const broken = install[1]();
    for (const { organizationId, message } of broken)
      this.logger.error({
        msg: 'catalog: the rules of an organization cannot be put into force, so this replica leaves its deliveries to replicas that can; upgrade this replica, correct the rule, or restart it with the current SECRETS_KEY',
        organization: organizationId,
        message,
      });
    return broken;
  }

  /** @param sources that this process cannot read in full */
  private log(sources: readonly LiveSource[]): void {
    const before = this.logged;
    this.logged = new Set(sources.filter(({ providerUnknown }) => providerUnknown).map(({ id }) => id));
    for (const { id, organization, slug: source, provider, providerUnknown } of sources) {
      const about = { organization: organization.id, source };
      if (!providerUnknown)
        this.logger.error({
          msg: 'catalog: the secrets of a source cannot be decrypted, because SECRETS_KEY was changed; restart this replica with the current key',
          ...about,
        });
      else if (!before.has(id))
        this.logger.warn({
          msg: 'catalog: this version of Ponte does not know the provider of a source and leaves its webhooks and deliveries to newer replicas; upgrade this replica',
          ...about,
          provider: provider.id,
        });
    }
  }

  /** Reads everything anew if anything has changed since. */
  async refresh(tx?: Transaction): Promise<void> {
    if ((await this.revision.current(tx)) !== this.loadedRevision) await this.load(tx);
  }

  /**
   * Others learn of a change that this transaction makes. Afterwards {@link refresh} makes it known here. To be called
   * before the change itself: whoever changes something else waits here, with nothing of it locked yet.
   */
  changed(tx: Transaction): Promise<void> {
    return this.revision.changed(tx);
  }

  @Interval(POLL_MS)
  async poll(): Promise<void> {
    // Nothing was read yet: starting does it.
    if (this.loadedRevision < 0n) return;
    try {
      await this.refresh();
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn({
          msg: 'catalog: changes of sources and rules could not be read; tried again every second',
          err: error,
        });
      this.failing = true;
    }
  }
}
