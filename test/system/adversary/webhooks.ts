import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '../../../src/sources/registry';
import { exchange, type Reply, type Request } from './exchange';
import { ATTACKED, isPutOff, PROVIDERS, SECRETS, type SourceSlug, type Target } from './target';

export interface Webhook {
  source: SourceSlug;
  topic: string;
  id: string;
  body: Buffer | string;
  /** Slug; absent: the one that is attacked. */
  organization?: string;
}

/** The request that the shop would send, signed with the right secret. */
export function signed({ source, topic, id, body, organization = ATTACKED }: Webhook): Request {
  const bytes = Buffer.from(body);
  return {
    method: 'POST',
    path: `/hooks/${organization}/${source}`,
    headers: signedHeaders(PROVIDERS[source], {
      topic,
      body: bytes,
      id,
      secret: SECRETS[source],
      sentAt: new Date(),
    }),
    body: bytes,
  };
}

/** Sends until the answer is another than to come back. @param withinMs for how long */
export async function deliver(target: Target, request: Request, withinMs = 120_000): Promise<Reply> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const reply = await exchange(target.url, request);
    if (!isPutOff(reply) || Date.now() > deadline) return reply;
    await sleep(Math.min(2, Number(reply.headers['retry-after'])) * 1000);
  }
}

interface ListedDelivery {
  id: string;
  state: string;
  reason: string | null;
  attempts: number;
}

/** Waits until no delivery of the organization waits. @returns those that still do after `withinMs` */
export async function unsettled(target: Target, withinMs: number): Promise<ListedDelivery[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const { items } = await target.admin<{ items: ListedDelivery[] }>(
      'GET',
      `/${ATTACKED}/deliveries?state=waiting&limit=50`,
    );
    if (items.length === 0 || Date.now() > deadline) return items;
    await sleep(250);
  }
}

/** Every delivery of the organization in this state. */
export async function deliveriesIn(target: Target, state: string): Promise<ListedDelivery[]> {
  const all: ListedDelivery[] = [];
  for (let after = ''; ;) {
    const page: { items: ListedDelivery[]; after: string | null } = await target.admin(
      'GET',
      `/${ATTACKED}/deliveries?state=${state}&limit=500${after}`,
    );
    all.push(...page.items);
    if (page.after === null) return all;
    after = `&after=${page.after}`;
  }
}
