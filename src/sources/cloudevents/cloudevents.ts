import { isObject } from '../../kernel/json-object';
import { checkScheme, SCHEME_SETTINGS } from '../generic-hmac/scheme';
import { contentKey, topicOf } from '../identity';
import { sharedSettings, textSetting } from '../settings';
import type { HandshakeReply, IncomingWebhook, Settings, SourceProvider, WebhookIdentity } from '../source';
import { laneOfMessage } from '../standard-webhooks/identify';
import { CLOUDEVENTS_SAMPLES } from './cloudevents.samples';
import { keyOfEvents, peekEvents } from './events';
import { normaliseCloudEvents } from './normalise';
import { signCloudEvents, verifyCloudEvents } from './verify';

/**
 * A sender asks before its first event whether it may send here at all. Those that the setting `allowedOrigins` names may;
 * nobody else hears that there is a source.
 */
function handshake(
  { method, headers }: IncomingWebhook,
  settings: Settings = {},
): HandshakeReply | undefined {
  const origin = headers['webhook-request-origin']?.trim().toLowerCase() ?? '';
  if (method !== 'OPTIONS' || origin === '' || !originsIn(settings).includes(origin)) return undefined;
  return {
    status: 200,
    contentType: 'text/plain',
    body: 'ok',
    headers: { allow: 'POST', 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' },
  };
}

/** The names in the setting, in lower case. */
function originsIn(settings: Settings): string[] {
  return (textSetting(settings, 'allowedOrigins') ?? '')
    .split(',')
    .flatMap((name) => name.trim().toLowerCase() || []);
}

const ORIGIN = /^[a-z0-9.:-]{1,253}$/;

/** A batch of several types has the topic `batch`, and a lane of its own where it speaks of several entities. */
function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const events = peekEvents(rawBody);
  const messages = events.map(({ data }) => (isObject(data) ? data : {}));
  const types = new Set(events.map(({ type }, index) => topicOf(messages[index]?.type ?? type)));
  const [first = 'unknown', another] = types;
  const topic = another === undefined ? first : 'batch';
  const dedupeKey = keyOfEvents(events) ?? contentKey(topic, rawBody);
  const [lane = `delivery/${dedupeKey}`, other] = new Set(
    messages.map((message) => laneOfMessage(message, dedupeKey)),
  );
  return {
    topic,
    dedupeKey,
    orderingKey: other === undefined ? lane : `delivery/${dedupeKey}`,
    attributes: {},
  };
}

/**
 * CloudEvents 1.0 over HTTP, one or a batch, whose `data` is a message of docs/sources/standard-webhooks.md: how they are
 * signed is all settings, as for any system that signs with an HMAC.
 */
export const cloudevents: SourceProvider = {
  id: 'cloudevents',
  title: 'CloudEvents over HTTP',
  settings: {
    ...SCHEME_SETTINGS,
    idHeader: {
      type: 'string',
      description:
        'Header that {id} in signed stands for. An event is known by its source and id, whatever it is.',
    },
    allowedOrigins: {
      type: 'string',
      description:
        'Who may send: names that senders give in WebHook-Request-Origin, with commas. Needed where a sender asks before it sends.',
    },
    ...sharedSettings('bookTestOrders', 'timeZone'),
  },
  checkSettings(settings) {
    const wrong = originsIn(settings).find((origin) => !ORIGIN.test(origin));
    return wrong === undefined
      ? checkScheme(settings)
      : { name: 'allowedOrigins', message: 'must be names of hosts with commas' };
  },
  setUp: [
    'Choose a secret of at least 24 random characters. Enter it as a secret of this source and in the configuration of your system.',
    'Have your system send events in structured or batch mode to the address of this source. Their data is a message as docs/sources/standard-webhooks.md describes it, with an example for each event.',
    'Set how your system signs: header, algorithm, encoding and signed. docs/sources/generic-hmac.md has the settings of well-known ways to sign.',
    'If your system asks with OPTIONS before it sends, enter the name that it gives in WebHook-Request-Origin in allowedOrigins.',
    'Send one order with "test": true: it appears in Ponte and posts nothing.',
  ],
  handshake,
  verify: verifyCloudEvents,
  identify,
  normalise: normaliseCloudEvents,
  sign: signCloudEvents,
  topicInBody: true,
  samples: CLOUDEVENTS_SAMPLES,
};
