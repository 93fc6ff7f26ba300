import { setTimeout as sleep } from 'node:timers/promises';
import type { PrismaClient } from '../../../src/database/client/client';
import { signedHeaders } from '../../../src/sources/registry';
import type { Api } from '../api';
import type { DemoSecrets } from '../scenario';
import { bookedFigures } from './booked';
import { expectedFigures, expectedLeft, type LeftToPerson, type RulesInForce } from './expected';
import type { Month, Shop } from './facts';
import { makeMonth } from './make-month';
import { type Message, messagesOf } from './messages';
import { type MonthService, openAccounts, sendMonth } from './play-month';
import { type Reconciliation, reconcile } from './reconciliation';

const PROVIDERS = { shopify: 'shopify', woocommerce: 'woocommerce', standard: 'standard-webhooks' } as const;

/** The month as it was sent and worked on, before the books are read. */
export interface PlayedMonth {
  readonly month: Month;
  readonly webhooks: number;
  readonly rules: RulesInForce;
  readonly left: readonly LeftToPerson[];
}

/** Sends an accountant's month to the running service and waits until it is booked. */
export async function playMonth(api: Api, secrets: DemoSecrets): Promise<PlayedMonth> {
  const service = monthService(api, secrets);
  const month = makeMonth(2026);
  const rules = await service.rulesInForce();
  await openAccounts(service);
  const messages = messagesOf(month, rules, 7);
  await sendMonth(service, messages);
  return { month, webhooks: messages.length, rules, left: await service.left() };
}

/** Compares the books with what the month's facts say. */
export async function reconcileMonth(played: PlayedMonth, prisma: PrismaClient): Promise<Reconciliation> {
  const { month, rules, left } = played;
  return reconcile(
    { figures: expectedFigures(month, rules), left: expectedLeft(month, rules) },
    { figures: await bookedFigures(prisma), left },
  );
}

function monthService(api: Api, secrets: DemoSecrets): MonthService {
  const keys: Readonly<Record<Shop, string>> = {
    shopify: secrets.shopify,
    woocommerce: secrets.wooCommerce,
    standard: secrets.standard,
  };
  return {
    makeAccount: (name) => api.makeAccount(name, '2026-01-01'),
    putTable: (name, entries) => api.putTable(name, entries),
    async send({ source, topic, body, id }: Message) {
      const message = { topic, body, id, secret: keys[source], sentAt: new Date() };
      return (await api.hook(source, signedHeaders(PROVIDERS[source], message), body)).status;
    },
    async settled() {
      // What waits for a record is worked on again by itself; what needs a person is in the reconciliation.
      while (await api.hasDelivery('waiting')) await sleep(100);
    },
    async rulesInForce() {
      const rules = await api.listOf<{ name: string; enabled: boolean }>('rules');
      return new Set(rules.filter(({ enabled }) => enabled).map(({ name }) => name));
    },
    left: () => api.listOf<LeftToPerson>('attention'),
  };
}
