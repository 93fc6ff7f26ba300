import type { ImportedWebhook } from '../../sources/missed-webhooks';
import { UnreadablePayload } from '../../sources/payload';
import type { StoredWebhook, WebhookIdentity } from '../../sources/source';
import type { Arrival } from '../inbox';
import { BODY_UNSIGNED, type DeliveryOrigin } from '../reserved-attributes';
import type { LiveSource } from '../source-directory';

/** Why a line is not stored; for a person, without anything of what it holds. */
export interface RefusedLine {
  readonly refused: string;
}

/** What a line becomes. */
export interface TakenLine {
  readonly arrival: Arrival;
  /** Ponte makes nothing of it, as of a webhook of a topic that it does not read. It is stored all the same, as that is. */
  readonly ignored: boolean;
  /** Business key of what it is about; absent: not known before it is fetched. */
  readonly businessKey?: string;
}

/** What providers call a topic that is none. */
const NO_TOPIC = 'unknown';

/** A line of an import as its webhook would have arrived. @param topic as the operator named it for all lines */
export function arrivalOfLine(
  line: Buffer,
  source: LiveSource,
  { topic, now }: { topic?: string | undefined; now: Date },
): TakenLine | RefusedLine {
  const { provider, settings } = source;
  return unlessUnreadable(() => {
    const made = provider.importLine?.(line, { settings, ...(topic !== undefined && { topic }) });
    if (!made && !provider.topicInBody) return { refused: `lines of ${provider.title} cannot be imported` };
    return arrivalOf(made ?? { body: line }, source, { now, origin: 'import' });
  });
}

/**
 * A webhook that did not come, as it would have arrived. What its provider only names, or does not sign, is fetched before
 * it is believed, whoever says it; of other providers it is the operator's word, or the API's, that stands for the signature.
 */
export function arrivalOf(
  webhook: ImportedWebhook,
  source: LiveSource,
  { now, origin }: { now: Date; origin: DeliveryOrigin },
): TakenLine | RefusedLine {
  const { provider, settings } = source;
  const { headers = {}, query = {}, body } = webhook;
  const bodyUnsigned = provider.fetchBack !== undefined;
  return unlessUnreadable(() => {
    const identity = provider.identify({ method: 'POST', headers, query, rawBody: body }, settings);
    const outcome = outcomeOf(storedAs(identity, body, { now, bodyUnsigned }), source);
    const { ignored } = outcome;
    if (ignored && identity.topic === NO_TOPIC)
      return { refused: `it is neither a webhook of ${provider.title} nor a record that Ponte knows of it` };
    const owner = { organizationId: source.organization.id, sourceId: source.id };
    return { arrival: { ...owner, identity, bodyUnsigned, origin, body, receivedAt: now }, ...outcome };
  });
}

function storedAs(
  { topic, attributes }: WebhookIdentity,
  rawBody: Buffer,
  { now, bodyUnsigned }: { now: Date; bodyUnsigned: boolean },
): StoredWebhook {
  const marked = bodyUnsigned ? { ...attributes, [BODY_UNSIGNED]: 'yes' } : attributes;
  return { topic, attributes: marked, rawBody, receivedAt: now };
}

/** What would come of it. @throws UnreadablePayload */
function outcomeOf(
  webhook: StoredWebhook,
  { provider, settings, credentials, context }: LiveSource,
): Omit<TakenLine, 'arrival'> {
  if (provider.fetchBack?.next(webhook, { settings, credentials: credentials ?? {} }))
    return { ignored: false };
  const result = provider.normalise(webhook, context);
  if ('ignored' in result) return { ignored: result.unbooked === undefined };
  const [event] = result.events;
  return { ignored: event === undefined, ...(event && { businessKey: event.key }) };
}

function unlessUnreadable<T>(read: () => T | RefusedLine): T | RefusedLine {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadablePayload) return { refused: error.message };
    throw error;
  }
}
