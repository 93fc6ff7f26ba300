import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { SharedClock } from '../../../kernel/clock';
import { DatabaseUnavailable } from '../../../kernel/database-unavailable';
import { newId } from '../../../kernel/identifier';
import { Problem } from '../../../kernel/problem';
import type { FinanceConnection } from '../client/connection';
import { FinanceClient, type CallPermit, type AttemptOutcome } from '../client/finance-client';
import { guardOf, later, lostAt, outdated, pausedFor, retryAt } from './call-delays';
import type { CallContent, CallName, CallResult, Evidence } from './call';
import { next } from './call-machine';
import {
  afterOutcome,
  isLeftToPerson,
  isReceipt,
  isRequest,
  type StoredCall,
  understood,
  storedResult,
  wasSearched,
} from './call-states';
import type { NewCall } from './call-rows.sql';
import { CallStore } from './call-store.repository';
import { intendNew, writeCall } from './call-writes.repository';
import { searchFirst } from './recovered-calls.repository';
import { isSentAnew, isWhole } from './settled-content';
import { freeParts, isPart, isReplaceable, sameCalls, stands, without } from './effect-parts';

/** Milliseconds after which whoever waits for another receipt asks again: nothing wakes it when that is settled. */
const LONGEST_TURN_MS = 10_000;

/** Milliseconds between tries to write an outcome down while the database is away. */
const OUTCOME_PAUSES_MS = [100, 400, 1_500, 5_000, 10_000];

export interface CallOptions {
  /**
   * Replaces what was read before an earlier attempt. Where it has to be read first, that is done only when the call
   * would be sent; what it throws ends the asking, and nothing was changed.
   */
  readonly evidence?: Evidence | (() => Promise<Evidence>);
  /** The delivery that waits for the call. */
  readonly deliveryId?: string;
  /** Asked in the transaction that commits the intent; what it throws ends the asking, and nothing was changed. */
  readonly check?: (tx: Transaction) => Promise<void>;
}

/** One of the calls of an effect. */
export type PlannedCall = Pick<NewCall, 'content' | 'evidence'>;

/** A call to be made, with what has to be true of it at the last moment. */
type Wanted = NewCall & Pick<CallOptions, 'check'>;

/** A call whose intent is committed: it is ours alone to send. */
interface Sending {
  readonly callId: string;
  readonly number: number;
  readonly content: CallContent;
  /** The delivery that it is sent for, where it is for one. */
  readonly deliveryId: string | null;
}

/**
 * Makes calls that change something in a finance service, each once for ever. The intent is committed before a
 * call is sent and the outcome after it; whoever dies in between is followed by the reconciler, which reads
 * back before anything is repeated. That holds as long as the service takes no effect of a call later than the
 * connection's `settleMs` after its end; times are the database's, whatever the clocks of replicas say, and whether or
 * not they were suspended.
 */
@Injectable()
export class Calls {
  private readonly logger = new Logger(Calls.name);
  private readonly listeners: ((organizationId: string) => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly repository: CallStore,
    private readonly client: FinanceClient,
    private readonly clock: SharedClock,
  ) {}

  /** Calls the listener whenever calls of an organization may have changed something in its finance service. */
  onMade(listener: (organizationId: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Makes a call unless it is made, on its way, or not to be made. What was stored under the name counts, not
   * the content given, unless there is nothing or the last attempt was refused.
   * @throws Problem `idempotency-key-reused` for a request to `/v1` that is not the one stored under its name
   */
  async make(
    connection: FinanceConnection,
    name: CallName,
    content: CallContent,
    options: CallOptions = {},
  ): Promise<CallResult> {
    const wanted: NewCall = { ...name, content, deliveryId: options.deliveryId };
    const existing = await this.existingResult(connection, wanted);
    if (existing) return existing;
    const { evidence } = options;
    const known = typeof evidence === 'function' ? undefined : evidence;
    const searched = await this.searched(connection, { ...wanted, evidence: known });
    if (searched) return searched;
    const read = typeof evidence === 'function' ? await evidence() : evidence;
    try {
      const made = await this.client.withPermit(connection, (permit) =>
        this.makeWithPermit(permit, connection, { ...wanted, evidence: read, check: options.check }),
      );
      if ('state' in made) return made;
      return await this.persistently(() => this.settle(connection, made.sending, made.outcome));
    } finally {
      for (const listener of this.listeners) listener(name.organizationId);
    }
  }

  /**
   * Writes down several calls of one effect, to be made one after another, unless they are written already:
   * what is decided once stays, except where nothing of it can be in effect and a part was refused.
   * @param kept present: the calls take the place of those that are {@link isReplaceable}; these are the others, as they
   *   were when the new ones were decided, and where they changed since, nothing is written
   * @returns the calls as they are written, by part from 1
   */
  async plan(
    organizationId: string,
    effectKey: string,
    parts: readonly PlannedCall[],
    deliveryId?: string,
    kept?: readonly StoredCall[],
  ): Promise<StoredCall[]> {
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const before = await this.repository.lockEffect(tx, organizationId, effectKey);
      const keptNow = before.filter((call) => isPart(call) && !isReplaceable(call));
      if (kept ? !sameCalls(keptNow, kept) : stands(before)) return before.filter(isPart);
      const numbers = freeParts(kept ?? []);
      const calls = parts.map((content): NewCall => ({
        ...content,
        organizationId,
        effectKey,
        part: numbers.next().value,
        deliveryId,
      }));
      await this.repository.replace(tx, without(before, kept ?? []), calls, now);
      return (await this.repository.ofEffect(tx, organizationId, effectKey)).filter(isPart);
    });
  }

  /** The calls of an effect as they are written; empty when there are none, or none that stand. */
  async planned(organizationId: string, effectKey: string): Promise<StoredCall[]> {
    const calls = await this.repository.ofEffect(this.database.prisma, organizationId, effectKey);
    return stands(calls) ? calls.filter(isPart) : [];
  }

  /**
   * A call that was refused although what it makes is there already: a person names the record, by `adopt`.
   * @returns the call's UUID; undefined: there is no such call
   */
  async leaveToPerson(name: CallName, reason: string): Promise<string | undefined> {
    return this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const call = await this.repository.lock(tx, name);
      if (call?.state === 'rejected') {
        const state = next(call.state, 'undecided');
        await writeCall(tx, call, { state, nextAt: null, reason }, now);
      }
      return call?.id;
    });
  }

  /** The result where the call is not to be sent now. Most are to be sent: those are read without a lock. */
  private async existingResult(
    connection: FinanceConnection,
    wanted: NewCall,
  ): Promise<CallResult | undefined> {
    const { prisma } = this.database;
    const now = this.clock.now();
    const call = await this.repository.find(prisma, wanted);
    if (!call) return this.notNow(prisma, connection, { ...wanted, id: newId() }, now);
    if (isRequest(call)) refuseAnother(call, wanted.content);
    if (!storedResult(call, now)) return this.notNow(prisma, connection, call, now);
    return this.lockedResult(connection, wanted);
  }

  private lockedResult(connection: FinanceConnection, wanted: NewCall): Promise<CallResult | undefined> {
    return this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const call = await this.repository.lock(tx, wanted);
      if (call && isRequest(call)) refuseAnother(call, wanted.content);
      const existing = call && storedResult(call, now);
      if (existing && wanted.deliveryId) await this.repository.waitFor(tx, call.id, wanted.deliveryId);
      return existing ?? this.notNow(tx, connection, call ?? { ...wanted, id: newId() }, now);
    });
  }

  /**
   * Where the database was put back to an earlier state, the service may have what a state that is lost asked of it: the
   * reconciler looks for that before the call is sent for the first time since.
   * @returns the result meanwhile; undefined: there is nothing to look for, or it was looked for
   */
  private async searched(
    { recoveredAt }: FinanceConnection,
    wanted: NewCall,
  ): Promise<CallResult | undefined> {
    // Of a request to `/v1` its sender alone knows whether it was sent before.
    if (!recoveredAt || isRequest(wanted)) return undefined;
    return this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const call = await this.find(tx, wanted, now);
      if (!isReplaceable(call) || wasSearched(call, recoveredAt)) return undefined;
      return storedResult({ ...call, ...(await searchFirst(tx, call, wanted, recoveredAt, now)) }, now);
    });
  }

  /** Between the intent and the sending nothing is waited for: an intent that waits is one that is given up. */
  private async makeWithPermit(
    permit: CallPermit,
    connection: FinanceConnection,
    wanted: Wanted,
  ): Promise<CallResult | { sending: Sending; outcome: AttemptOutcome }> {
    if (permit.backoffMs > 0)
      return pausedFor(this.clock.now(), permit.backoffMs, this.client.whyClosed(connection.organizationId));
    await this.clock.sure();
    const sinceIntent = this.clock.stopwatch();
    const asked = await this.ask(connection, wanted);
    if ('state' in asked) return asked;
    return { sending: asked, outcome: await this.send(permit, connection, asked, sinceIntent) };
  }

  /** Commits the intent to send. @returns the result, where it is not the asker's to send */
  private async ask(connection: FinanceConnection, wanted: Wanted): Promise<CallResult | Sending> {
    return (await this.askAnew(connection, wanted)) ?? this.askForStored(connection, wanted);
  }

  /** Most calls are new. @returns undefined when there is one of that name, or others have to be read first */
  private async askAnew(connection: FinanceConnection, wanted: Wanted): Promise<Sending | undefined> {
    if (isReceipt(wanted) || wanted.check) return undefined;
    const now = this.clock.now();
    const { content, deliveryId = null } = wanted;
    const callId = await intendNew(this.database, wanted, now, lostAt(connection, now));
    return callId === undefined ? undefined : { callId, number: 1, content, deliveryId };
  }

  private askForStored(connection: FinanceConnection, wanted: Wanted): Promise<CallResult | Sending> {
    return this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const call = await this.find(tx, wanted, now);
      if (isRequest(call)) refuseAnother(call, wanted.content);
      if (isReceipt(call)) await this.repository.lockReceipts(tx, call);
      const existing = storedResult(call, now) ?? (await this.notNow(tx, connection, call, now));
      if (existing) {
        if (wanted.deliveryId) await this.repository.waitFor(tx, call.id, wanted.deliveryId);
        return existing;
      }
      await wanted.check?.(tx);
      // A search is made once, also where what was read before it is read anew.
      const { lookedFor } = call.evidence;
      const evidence = wanted.evidence && lookedFor ? { ...wanted.evidence, lookedFor } : wanted.evidence;
      if (isReceipt(call) && !(await this.repository.isCurrent(tx, call, evidence ?? call.evidence)))
        return outdated(now);
      const content = isSentAnew(call) ? wanted.content : call.content;
      const nextAt = lostAt(connection, now);
      const number = await this.repository.intend(tx, call, { ...wanted, evidence, content, now, nextAt });
      return { callId: call.id, number, content, deliveryId: wanted.deliveryId ?? call.deliveryId };
    });
  }

  private async find(tx: Transaction, wanted: NewCall, now: Date): Promise<StoredCall> {
    const there = await this.repository.lock(tx, wanted);
    if (there) return there;
    await this.repository.plan(tx, [wanted], now);
    const made = await this.repository.lock(tx, wanted);
    if (!made) throw new Error('a call was neither stored nor found');
    return made;
  }

  /** Why a call that could be sent is not sent now. */
  private async notNow(
    tx: Transaction,
    { organizationId }: FinanceConnection,
    call: Pick<StoredCall, 'id' | 'organizationId' | 'content'>,
    now: Date,
  ): Promise<CallResult | undefined> {
    const closedMs = this.client.closedForMs(organizationId);
    if (closedMs > 0) return pausedFor(now, closedMs, this.client.whyClosed(organizationId));
    if (!isReceipt(call)) return undefined;
    const until = await this.repository.otherReceipt(tx, call);
    const reason = 'another receipt for the same schedule is not settled yet';
    if (!until) return undefined;
    const soon = new Date(now.getTime() + LONGEST_TURN_MS);
    return { state: 'planned', until: later(until < soon ? until : soon, now), reason, queued: true };
  }

  private async send(
    permit: CallPermit,
    connection: FinanceConnection,
    sending: Sending,
    sinceIntent: () => number,
  ): Promise<AttemptOutcome> {
    const guardMs = guardOf(connection);
    const inTime = (): boolean => sinceIntent() <= guardMs;
    try {
      const outcome = await permit.send(sending.content, inTime);
      return understood(sending.content, outcome);
    } catch (error) {
      this.logger.error({
        msg: 'finance calls: a call broke off inside Ponte; its outcome is unknown until the reconciler has read it back',
        call: sending.callId,
        err: error,
      });
      return { kind: 'unknown', reason: 'the call broke off inside Ponte' };
    }
  }

  /** Commits what came of an attempt. @returns what the call is now */
  private async settle(
    connection: FinanceConnection,
    { callId: id, number, content, deliveryId }: Sending,
    outcome: AttemptOutcome,
  ): Promise<CallResult> {
    await this.clock.sure();
    const { call, alarm } = await this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const stored = await this.repository.lockById(tx, id);
      if (!stored) throw new Error('a call is gone');
      const tries = await this.repository.tries(tx, stored);
      const moments = {
        now,
        retryAt: retryAt(now, number, outcome),
        settledAt: new Date(now.getTime() + connection.settleMs),
      };
      const settling = afterOutcome(stored, tries, number, outcome, moments);
      const sent = isWhole(stored.content) ? stored.content : content;
      await writeCall(tx, { ...stored, content: sent }, settling.change, now, { number, outcome });
      const isAwaited = stored.state !== 'sending' || stored.deliveryId !== deliveryId;
      if (isLeftToPerson(stored)) await this.repository.revive(tx, stored);
      else if (isAwaited) await this.repository.wake(tx, stored.deliveryId);
      return { call: { ...stored, ...settling.change }, alarm: settling.alarm };
    });
    if (alarm !== undefined)
      this.logger.error({
        msg: 'finance calls: a call needs a person now; read it with `ponte effects show`',
        call: id,
        alarm,
      });
    return this.answer(call, outcome);
  }

  private answer(call: StoredCall, outcome: AttemptOutcome): CallResult {
    if (call.state === 'applied') return { state: 'applied', output: call.output, earlier: false };
    if (call.state === 'rejected' && outcome.kind === 'refused')
      return { state: 'rejected', problem: outcome.problem };
    const now = this.clock.now();
    const until = later(call.nextAt ?? now, now);
    const existing = storedResult(call, now) ?? { state: 'planned', until, reason: call.reason ?? '' };
    const keyRefused = outcome.kind === 'not-sent' && outcome.keyRefused;
    return existing.state === 'planned' && keyRefused ? { ...existing, keyRefused } : existing;
  }

  /** An outcome that is known must not be lost because the database is away for a moment. */
  private async persistently<T>(work: () => Promise<T>): Promise<T> {
    for (const milliseconds of OUTCOME_PAUSES_MS) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        await pause(milliseconds);
      }
    }
    return work();
  }
}

/** @throws Problem where the name stands for another request that is, or may be, in effect */
function refuseAnother(call: StoredCall, { digest }: CallContent): void {
  if (isReplaceable(call) || call.content.digest === digest) return;
  throw new Problem('idempotency-key-reused', 'This Idempotency-Key was used for another request');
}
