import type { CanonicalEvent } from '../events/event';
import { moneyFactsOf } from '../events/money-facts';
import type { PrivacyEvent } from '../events/privacy';
import type { Unbooked } from '../events/unbooked';
import type { Organization } from '../kernel/organization';
import { UnreadablePayload } from '../sources/payload';
import type { Normalised, StoredWebhook } from '../sources/source';
import type { EventWork } from '../workflows/planner';
import { decodeAnswers } from './fetch-back/fetched-answers';
import { BODY_UNSIGNED } from './reserved-attributes';
import type { ClaimedDelivery } from './delivery-queue.repository';
import type { ReportedFacts } from './money-facts.repository';
import type { LiveSource } from './source-directory';

/** A delivery put into canonical events, or the reason why it could not be. */
export interface NormalizedDelivery {
  id: string;
  work: EventWork[];
  /** Types of the events, in order. */
  events: string[];
  businessKey: string | null;
  /** Why it makes no event. */
  ignored?: string;
  /** What it says of money all the same, and whose money that is. */
  unbooked?: { organization: Organization; items: readonly Unbooked[] };
  /** What it asks for about personal data, and whose source it came from. */
  privacy?: { organizationId: string; source: string; event: PrivacyEvent };
  /** What it says of the money of orders and payouts. */
  reported?: readonly ReportedFacts[];
  /** Why it needs a person. */
  unreadable?: string;
}

/** A delivery as stored, as far as it is needed to normalize it. */
export type StoredDelivery = Pick<
  ClaimedDelivery,
  'id' | 'sourceId' | 'topic' | 'attributes' | 'body' | 'receivedAt' | 'fetched'
>;

/** A stored delivery as its provider takes it. */
export function storedWebhook(delivery: StoredDelivery): StoredWebhook {
  const { topic, attributes, body, receivedAt, fetched } = delivery;
  return {
    topic,
    attributes,
    rawBody: bufferOf(body),
    receivedAt,
    ...(fetched && { fetched: decodeAnswers(fetched) }),
  };
}

/** The same bytes, not a copy of them. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Reads a stored delivery with its source's provider. Never throws for what the payload says.
 * @param traceparent of the work on it
 */
export function normalizeDelivery(
  delivery: StoredDelivery,
  source: LiveSource | undefined,
  traceparent?: string,
): NormalizedDelivery {
  const nothing: NormalizedDelivery = { id: delivery.id, work: [], events: [], businessKey: null };
  if (!source) return { ...nothing, unreadable: 'its source is no longer configured' };
  if (source.providerUnknown)
    return { ...nothing, unreadable: 'this version of Ponte does not know the provider of its source' };
  try {
    const webhook = storedWebhook(delivery);
    const result = source.provider.normalise(webhook, source.context);
    if (isUnproven(webhook, result))
      return { ...nothing, unreadable: 'nobody signed what it says, and nothing was fetched to prove it' };
    const { organization, slug } = source;
    const besides =
      result.unbooked === undefined ? {} : { unbooked: { organization, items: result.unbooked } };
    if ('ignored' in result) {
      const { ignored, key, privacy: event } = result;
      return {
        ...nothing,
        ...{ ignored, businessKey: key ?? null },
        ...besides,
        ...(event && { privacy: { organizationId: organization.id, source: slug, event } }),
      };
    }
    return {
      ...nothing,
      ...besides,
      work: result.events.map((event, eventIndex) => ({
        organization: source.organization,
        deliveryId: delivery.id,
        eventIndex,
        event,
        receivedAt: delivery.receivedAt,
        traceparent,
      })),
      events: result.events.map((event) => event.type),
      reported: reportedBy(result.events, source),
      businessKey: result.events[0]?.key ?? null,
    };
  } catch (error) {
    if (error instanceof UnreadablePayload)
      return { ...nothing, unreadable: `the payload cannot be read: ${error.message}` };
    throw error;
  }
}

/** Several events of a message are often about one order, and say the same of it: it is taken once. */
function reportedBy(
  events: readonly CanonicalEvent[],
  { id: sourceId, organization }: LiveSource,
): ReportedFacts[] {
  const reported = new Map<string, ReportedFacts>();
  for (const event of events) {
    const facts = reported.has(event.key) ? undefined : moneyFactsOf(event);
    if (facts) reported.set(facts.key, { organization, sourceId, facts });
  }
  return [...reported.values()];
}

/** No money is booked, and nobody's data is erased, on the word of a body that nobody signed: what it says has to come from the provider. */
function isUnproven({ attributes, fetched = [] }: StoredWebhook, result: Normalised): boolean {
  if (attributes[BODY_UNSIGNED] === undefined || fetched.length > 0) return false;
  if ('events' in result) return result.events.length > 0 || result.unbooked !== undefined;
  return result.unbooked !== undefined || result.privacy !== undefined;
}
