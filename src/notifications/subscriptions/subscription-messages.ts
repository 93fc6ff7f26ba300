import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { hash } from 'node:crypto';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import { SharedClock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import { ScheduledRun } from '../../kernel/scheduled-run';
import {
  DeferredEffects,
  type NewDeferredEffect,
} from '../../workflows/deferred/deferred-effects.repository';
import type { Digest } from './digest';
import { digestEmail } from './digest-email';
import { digestMessage } from './digest-message';
import { keyOfSubscription, OpenItems } from './open-items.repository';
import { nextCheck } from './subscription';
import { type DueSubscription, Subscriptions } from './subscriptions.repository';

const EVERY_MS = 5_000;
/** Until a subscription whose check failed is checked again. */
const AGAIN_MS = 5 * 60_000;

/**
 * Makes the messages of subscriptions: a message's items, the note that they were sent, and the deferred effects that send them
 * commit together.
 * Any number of replicas do this; each subscription is locked by one of them at a time.
 */
@Injectable()
export class SubscriptionMessages implements BeforeApplicationShutdown {
  private readonly logger = new Logger('subscriptions');
  private readonly wanted: boolean;
  private isStopping = false;
  private readonly runs = new ScheduledRun(
    () => this.run(),
    (error) =>
      this.logger.warn({
        msg: 'subscriptions: new items could not be looked up; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly database: Database,
    private readonly subscriptions: Subscriptions,
    private readonly open: OpenItems,
    private readonly effects: DeferredEffects,
    private readonly clock: SharedClock,
    { role }: Settings,
  ) {
    this.wanted = role !== 'api';
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('subscriptions', EVERY_MS)
  async tick(): Promise<void> {
    if (this.wanted) await this.runs.tick();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.runs.ended();
  }

  /** Checks every subscription whose time has come. @returns how many were checked */
  async run(): Promise<number> {
    for (let checked = 0; ; checked += 1) if (this.isStopping || !(await this.checkOne())) return checked;
  }

  /** @returns false: none is due */
  private async checkOne(): Promise<boolean> {
    let due: DueSubscription | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        due = await this.subscriptions.lockDue(tx);
        if (due) await this.check(tx, due);
        return due !== undefined;
      });
    } catch (error) {
      if (!due) throw error;
      const { organization, subscription } = due;
      this.logger.error({
        msg: 'subscriptions: a message could not be made; it is tried again in five minutes',
        ...{ organization: organization.slug, subscription: subscription.name, err: error },
      });
      await this.subscriptions.putOff(subscription.id, AGAIN_MS);
      return true;
    }
  }

  private async check(tx: Transaction, due: DueSubscription): Promise<void> {
    const { organization, subscription, messages } = due;
    const { id } = subscription;
    const now = this.clock.now();
    await this.open.forget(tx, id);
    const { items, hasMore } = await this.open.unnotified(tx, organization, subscription);
    const nextAt = nextCheck(subscription, now, organization.timeZone, items.length > 0);
    if (items.length === 0) return this.subscriptions.checked(tx, id, nextAt, messages);
    const number = messages + 1;
    const digest = { organization, subscription: subscription.name, items, hasMore };
    await this.subscriptions.checked(tx, id, nextAt, number);
    await this.open.noteNotified(tx, id, items);
    const sent = effectsOf(due, digest, number).map((effect) => toStore(effect, due, now));
    await this.effects.store(tx, sent, now);
  }
}

/**
 * One for each address and one for the endpoint, so that none waits for another or is refused with it. Receivers know
 * repetitions by the key. After the database was put back to an earlier state, numbers are drawn again that messages of the
 * lost time had; so the key names the items, too.
 */
function effectsOf({ subscription }: DueSubscription, digest: Digest, number: number): PlannedEffect[] {
  const { id, name, emails, endpoint, language, schedule } = subscription;
  const isAlone = schedule === 'immediate' && digest.items.length === 1;
  const items = digestOf(digest.items.map((item) => `${item.kind}/${item.id}/${item.version}`).join());
  const key = `notification/${name}/${id}/${number}/${items}`;
  const effects: PlannedEffect[] = [];
  if (emails.length > 0) {
    const email = digestEmail(digest, language, isAlone);
    for (const to of emails) {
      const input = { subscription: id, to, ...email };
      effects.push({ key: `${key}/${digestOf(to.toLowerCase())}`, operation: 'email.send', input });
    }
  }
  if (endpoint !== null) {
    const { type, data } = digestMessage(digest, isAlone);
    effects.push({ key: `${key}/endpoint`, operation: 'http.notify', input: { endpoint, type, data } });
  }
  return effects;
}

function toStore(
  effect: PlannedEffect,
  { organization, subscription: { id, name } }: DueSubscription,
  now: Date,
): NewDeferredEffect {
  return {
    ...{ id: newId(), organization, effect, rule: { name, version: 0 }, datesKnown: true, dueAt: now },
    ...{ runId: id, step: 'subscription', deliveryId: null, businessKey: keyOfSubscription(name) },
  };
}

/** Names in a key, which lists and logs show, what is private or long. */
function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 12);
}
