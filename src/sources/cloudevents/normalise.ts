import { type CanonicalEvent, EVENT_TYPES } from '../../events/event';
import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { eventType, normaliseMessage } from '../standard-webhooks/normalise';
import { isBatch, MOST_EVENTS } from './events';

const VERSION = '1.0';
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/**
 * The messages that one event or a batch of events holds. One of a batch that cannot be read stops all of it.
 * @throws UnreadablePayload
 */
export function normaliseCloudEvents({ rawBody }: StoredWebhook, context: SourceContext): Normalised {
  if (!isBatch(rawBody)) return normaliseEvent(Payload.parse(rawBody), context);
  const all = Payload.parseList(rawBody, MOST_EVENTS).map((event) => normaliseEvent(event, context));
  const events = all.flatMap((one) => ('events' in one ? one.events : []));
  if (events.length > 0) return { events };
  const [first] = all.flatMap((one) => ('ignored' in one ? one.ignored : []));
  return { ignored: `none of the ${all.length} events says anything; the first: ${first}` };
}

/** @throws UnreadablePayload */
function normaliseEvent(event: Payload, context: SourceContext): Normalised {
  if (event.text('specversion') !== VERSION) event.fail('specversion', `is not ${VERSION}`);
  for (const name of ['id', 'source']) if (event.text(name) === undefined) event.missing(name);
  const type = event.text('type') ?? event.missing('type');
  if (event.has('data_base64')) event.fail('data_base64', 'is not read: data has to be JSON');
  const contentType = event.text('datacontenttype');
  if (contentType !== undefined && !JSON_TYPE.test(contentType)) event.fail('datacontenttype', 'is not JSON');
  const promised = promisedType(type);
  const message = promised === undefined ? event.loosely('data') : event.at('data');
  const named = message.textIfAny('type');
  if (named === undefined) {
    if (promised !== undefined) message.missing('type');
    return {
      ignored: `type ${topicOf(type)} is none that Ponte reads, and its data is no message of Ponte's`,
    };
  }
  if (promised !== undefined && eventType(named) !== undefined && named !== promised)
    message.fail('type', 'is another than that of its event');
  const normalised = normaliseMessage(message, context);
  return 'events' in normalised
    ? { events: normalised.events.map((one) => tellingAll(one, event)) }
    : normalised;
}

/** The type that a message of Ponte's has to have by the type of its event: `com.example.order.paid` is `order.paid`. */
function promisedType(type: string): string | undefined {
  return EVENT_TYPES.find((one) => type === one || type.endsWith(`.${one}`));
}

/** The event with all of the CloudEvent for rules to read, and not the message alone. */
function tellingAll(event: CanonicalEvent, whole: Payload): CanonicalEvent {
  return Object.defineProperty(event, 'raw', {
    ...{ configurable: true, enumerable: true },
    get: () => whole.raw(),
  });
}
