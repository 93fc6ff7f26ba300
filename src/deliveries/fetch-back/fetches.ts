import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { isAway } from '../../database/unavailable';
import { Clock } from '../../kernel/clock';
import { UnreadablePayload } from '../../sources/payload';
import type { FetchBack, FetchedAnswer } from '../../sources/source';
import { DeadLetterLog } from '../dead-letter-log';
import { failed } from '../failed-delivery';
import {
  AT_ONCE,
  DeliveryLeases,
  LEASE_MS,
  type LeasedDelivery,
  type PutOff,
} from '../delivery-leases.repository';
import type { ClaimedDelivery } from '../delivery-queue.repository';
import { storedWebhook } from '../normalize-delivery';
import { type LiveSource, SourceDirectory } from '../source-directory';
import { AccessTokens } from './access-tokens';
import { type AnswerOutcome, type AskedAgain, later, unreadAnswer } from './answer-outcome';
import { FetchedAnswers } from './fetched-answers.repository';
import { ProviderApi } from './provider-api';
import { ProviderRequests } from './provider-requests';

/** Deliveries of one source that wait for its API at once; more are not claimed. */
const MOST_PENDING = 64;
/** Requests about one delivery. */
const MOST_REQUESTS = 20;
/** Bytes of all answers about one delivery. */
const MOST_BYTES = 4 * 1024 * 1024;

type Result = AskedAgain | { state: 'fetched'; answers: readonly FetchedAnswer[] };

/**
 * Fetches what deliveries name from their providers' APIs, before they are worked on. Such a delivery is leased, asked
 * about outside of any transaction, and given back with the answers; whoever claims it next works on it. Once the answers
 * are stored, nothing is asked again: not after a crash, and not when it is worked on anew.
 */
@Injectable()
export class Fetches {
  private readonly logger = new Logger(Fetches.name);
  private readonly apis = new Map<string, ProviderApi>();
  private readonly underWay = new Map<LeasedDelivery, Promise<void>>();
  private readonly listeners: (() => void)[] = [];
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly leases: DeliveryLeases,
    private readonly answers: FetchedAnswers,
    private readonly sources: SourceDirectory,
    private readonly deadLetters: DeadLetterLog,
    private readonly clock: Clock,
    private readonly requests: ProviderRequests,
    private readonly accessTokens: AccessTokens,
  ) {}

  /** Called after each delivery that can be worked on now. */
  onFetched(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Sources of which nothing more is claimed for now: their API is left alone, or enough deliveries wait for it. */
  get busySources(): string[] {
    return [...this.apis].flatMap(([id, api]) =>
      api.pending >= MOST_PENDING || api.closedForMs > 0 ? [id] : [],
    );
  }

  /**
   * Gives the claimed deliveries what was fetched about them, and divides them.
   * @returns `ready`: to be worked on; `unfetched`: to be leased and fetched first
   */
  async divide<Delivery extends ClaimedDelivery>(
    tx: Transaction,
    claimed: readonly Delivery[],
  ): Promise<{ ready: Delivery[]; unfetched: Delivery[] }> {
    const named = claimed.filter(({ sourceId }) => this.sources.isFetched(sourceId));
    if (named.length === 0) return { ready: [...claimed], unfetched: [] };
    const fetched = await this.answers.of(tx, named);
    for (const delivery of named) delivery.fetched = fetched.get(delivery.id) ?? null;
    const unfetched = named.filter((delivery) => !delivery.fetched && this.isNeeded(delivery));
    return { ready: claimed.filter((delivery) => !unfetched.includes(delivery)), unfetched };
  }

  /** Leases what this transaction has claimed; {@link start} follows when it is committed. */
  async lease(tx: Transaction, unfetched: readonly ClaimedDelivery[]): Promise<LeasedDelivery[]> {
    const leased = await this.leases.leaseClaimed(tx, unfetched);
    await this.begin(tx, leased);
    return leased;
  }

  /** As {@link lease}, for what is leased already. */
  async begin(tx: Transaction, leased: readonly LeasedDelivery[]): Promise<void> {
    await this.answers.begin(
      tx,
      leased.map(({ id }) => id),
    );
  }

  /** Fetches in the background what was leased. Whatever happens, each is given back, or its lease runs out. */
  start(leased: readonly LeasedDelivery[]): void {
    for (const delivery of leased) {
      const work = this.work(delivery)
        .catch((error: unknown) =>
          this.logger.warn({
            msg: 'fetch: how the fetching for a delivery ended could not be stored; it is fetched again when its lease ends',
            organizationId: delivery.organizationId,
            delivery: delivery.id,
            err: error,
          }),
        )
        .finally(() => this.underWay.delete(delivery));
      this.underWay.set(delivery, work);
    }
  }

  @Interval(LEASE_MS / 3)
  async renew(): Promise<void> {
    const leaseIds = [...this.underWay.keys()].map(({ leaseId }) => leaseId);
    if (leaseIds.length === 0) return;
    await this.database
      .transaction((tx) => this.leases.renew(tx, leaseIds))
      .catch((error: unknown) =>
        this.logger.warn({
          msg: 'fetch: leases could not be renewed; tried again in 20 s, and other replicas fetch when the leases end',
          err: error,
        }),
      );
  }

  /**
   * What is being asked ends, nothing more begins, and the rest is given back. Whoever claims deliveries calls it, after its
   * last claim.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.underWay.values());
    this.requests.end();
  }

  /** What cannot be read needs no answer: normalising says what is wrong with it. */
  private isNeeded(delivery: ClaimedDelivery): boolean {
    const source = this.sources.findById(delivery.sourceId);
    const fetchBack = source?.provider.fetchBack;
    if (!fetchBack) return false;
    return unlessUnreadable(() => fetchBack.next(storedWebhook(delivery), accessOf(source))) !== undefined;
  }

  private async work(delivery: LeasedDelivery): Promise<void> {
    const api = this.apiOf(delivery.sourceId);
    api.pending += 1;
    try {
      const leave = await api.enter();
      try {
        const source = this.sources.findById(delivery.sourceId);
        const fetchBack = source?.provider.fetchBack;
        if (this.stopping || !source || !fetchBack) return await this.putOff(delivery, AT_ONCE);
        await this.settle(delivery, source, fetchBack, await this.fetch(delivery, source, fetchBack, api));
      } catch (error) {
        await this.recover(delivery, error);
      } finally {
        leave();
      }
    } finally {
      api.pending -= 1;
      for (const listener of this.listeners) listener();
    }
  }

  private async fetch(
    delivery: LeasedDelivery,
    source: LiveSource,
    fetchBack: FetchBack,
    api: ProviderApi,
  ): Promise<Result> {
    const first = await this.accessTokens.of(source, api, delivery.attempts);
    if (first.state !== 'granted') return first;
    const answers: FetchedAnswer[] = [];
    let { access } = first;
    let isRenewed = false;
    for (let asked = 0; asked < MOST_REQUESTS; asked += 1) {
      const webhook = { ...storedWebhook(delivery), fetched: answers };
      const request = unlessUnreadable(() =>
        fetchBack.next(webhook, { settings: source.settings, ...access }),
      );
      if (!request) return this.readable(delivery, source, answers) ?? { state: 'fetched', answers };
      if (this.stopping) return later(AT_ONCE.delayMs, 'fetching was interrupted; trying again');
      const outcome = await this.requests.ask(source, request, api, delivery.attempts);
      if (isUnauthorized(outcome) && access.accessToken !== undefined && !isRenewed) {
        // It may have been withdrawn before its time.
        const again = await this.accessTokens.of(source, api, delivery.attempts, access.accessToken);
        if (again.state !== 'granted') return again;
        ({ access } = again);
        isRenewed = true;
        continue;
      }
      if (outcome.state !== 'answered') return outcome;
      answers.push(outcome.answer);
      if (answers.reduce((sum, { body }) => sum + body.length, 0) > MOST_BYTES)
        return { state: 'refused', reason: 'what its API answers is larger than Ponte takes' };
    }
    return { state: 'refused', reason: `its API was asked ${MOST_REQUESTS} times, and more would be needed` };
  }

  /**
   * What cannot be read is not kept: a page of an API that is under repair is no answer for ever.
   * @returns what is done instead; undefined: it can be read
   */
  private readable(
    delivery: LeasedDelivery,
    { provider, context }: LiveSource,
    fetched: readonly FetchedAnswer[],
  ): Result | undefined {
    const unreadable = whatIsUnreadable(() =>
      provider.normalise({ ...storedWebhook(delivery), fetched }, context),
    );
    if (unreadable === undefined) return undefined;
    return unreadAnswer(unreadable, { tries: delivery.attempts, random: Math.random() });
  }

  private async settle(
    delivery: LeasedDelivery,
    { id: sourceId }: LiveSource,
    fetchBack: FetchBack,
    result: Result,
  ): Promise<void> {
    if (result.state === 'later') {
      const { delayMs, reason, failed } = result;
      return this.putOff(delivery, { delayMs, reason, failed });
    }
    if (result.state === 'fetched') {
      const { answers } = result;
      const webhook = { ...storedWebhook(delivery), fetched: answers };
      const orderingKey = unlessUnreadable(() => fetchBack.orderingKey?.(webhook));
      const lane = orderingKey === undefined ? undefined : `${sourceId}/${orderingKey}`;
      await this.whileLeased(delivery, async (tx) => {
        await this.answers.store(tx, delivery, answers, lane);
        await this.leases.release(tx, delivery);
      });
      return;
    }
    await this.giveUp(delivery, result.reason);
  }

  private async recover(delivery: LeasedDelivery, error: unknown): Promise<void> {
    if (isAway(error)) throw error;
    const { delayMs, reason } = failed(delivery, error, this.logger);
    if (delayMs === undefined) return this.giveUp(delivery, reason);
    await this.putOff(delivery, { delayMs, reason, failed: true });
  }

  private async giveUp(delivery: LeasedDelivery, reason: string): Promise<void> {
    const isGivenUp = await this.whileLeased(delivery, (tx) =>
      this.leases.giveUp(tx, this.clock.now(), delivery, reason),
    );
    if (isGivenUp) this.deadLetters.write(delivery, reason);
  }

  private async putOff(delivery: LeasedDelivery, how: PutOff): Promise<void> {
    await this.whileLeased(delivery, (tx) => this.leases.putOff(tx, delivery, how));
  }

  /** @returns false when the lease was lost: then nothing is written, and whoever has the delivery now goes on */
  private whileLeased(delivery: LeasedDelivery, write: (tx: Transaction) => Promise<void>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const isLeased = await this.leases.lock(tx, delivery);
      if (isLeased) await write(tx);
      return isLeased;
    });
  }

  private apiOf(sourceId: string): ProviderApi {
    const known = this.apis.get(sourceId);
    if (known) return known;
    const api = new ProviderApi();
    this.apis.set(sourceId, api);
    return api;
  }
}

function accessOf({ settings, credentials }: LiveSource): Parameters<FetchBack['next']>[1] {
  return { settings, credentials: credentials ?? {} };
}

function isUnauthorized(outcome: AnswerOutcome): boolean {
  return outcome.state !== 'answered' && outcome.unauthorized === true;
}

/** What a provider gives; undefined where it finds something that cannot be read, which normalising then names. */
function unlessUnreadable<T>(give: () => T): T | undefined {
  try {
    return give();
  } catch (error) {
    if (error instanceof UnreadablePayload) return undefined;
    throw error;
  }
}

function whatIsUnreadable(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof UnreadablePayload) return error.message;
    throw error;
  }
}
