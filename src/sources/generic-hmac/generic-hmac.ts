import { contentKey, tokenOf } from '../identity';
import { sharedSettings } from '../settings';
import type { IncomingWebhook, SourceProvider, Settings, WebhookIdentity } from '../source';
import { identifyMessage } from '../standard-webhooks/identify';
import { normaliseStandardWebhook } from '../standard-webhooks/normalise';
import { STANDARD_WEBHOOKS_SAMPLES } from '../standard-webhooks/standard-webhooks.samples';
import { checkScheme, readScheme, SCHEME_SETTINGS, valueOf } from './scheme';
import { signWithHmac, verifyHmac } from './verify';

function identify(request: IncomingWebhook, settings: Settings = {}): WebhookIdentity {
  const scheme = readScheme(settings);
  const idHeader = 'message' in scheme ? undefined : scheme.idHeader;
  const id = tokenOf(valueOf(request.headers, idHeader));
  return identifyMessage(request, (topic) => id ?? contentKey(topic, request.rawBody));
}

/**
 * A system that signs in a way of its own and sends the messages of docs/sources/standard-webhooks.md: how it signs is all
 * settings. Without any, it is the way in which GitHub and many others sign.
 */
export const genericHmac: SourceProvider = {
  id: 'generic-hmac',
  title: 'Any system that signs with an HMAC',
  settings: {
    ...SCHEME_SETTINGS,
    idHeader: {
      type: 'string',
      description:
        'Header that holds what a message is known by, the same for every try; its content when not set.',
    },
    ...sharedSettings('bookTestOrders', 'timeZone'),
  },
  setUp: [
    'Choose a secret of at least 24 random characters. Enter it as a secret of this source and in the configuration of your system.',
    'In your system, send a POST to the address of this source for everything that happens. docs/sources/standard-webhooks.md describes the JSON body, with an example for each event.',
    'Set how your system signs: header, algorithm, encoding and signed. docs/sources/generic-hmac.md has the settings of well-known ways to sign.',
    'If it signs a time, set timestampHeader and name {timestamp} in signed: then a recorded request is refused later.',
    'Send one order with "test": true: it appears in Ponte and posts nothing.',
  ],
  checkSettings: checkScheme,
  verify: verifyHmac,
  identify,
  normalise: normaliseStandardWebhook,
  sign: signWithHmac,
  topicInBody: true,
  samples: STANDARD_WEBHOOKS_SAMPLES,
};
