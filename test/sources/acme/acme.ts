import { contentKey, keepHeaders, laneOf, peekJson, tokenOf, topicOf } from '../../../src/sources/identity';
import { SHARED_SETTINGS } from '../../../src/sources/settings';
import { verifySignature } from '../../../src/sources/signature';
import type {
  IncomingWebhook,
  SourceProvider,
  Verification,
  WebhookIdentity,
} from '../../../src/sources/source';
import { normaliseAcme } from './acme.mapping';
import { ACME_SAMPLES } from './acme.samples';
import { acmeSignature, signAsAcme } from './acme.signer';

/** How far, in seconds, the time of a webhook may be from now. */
const TOLERANCE_SECONDS = 120;
const SIGNATURE = 'acme-signature';
const SENT_AT = 'acme-sent-at';

function verify(
  { headers, rawBody }: IncomingWebhook,
  secrets: readonly string[],
  _settings: Readonly<Record<string, unknown>>,
  now: Date,
): Verification {
  const sentAt = headers[SENT_AT] ?? '';
  const verified = verifySignature({
    secrets,
    given: [headers[SIGNATURE]],
    expected: (secret) => acmeSignature(secret, sentAt, rawBody),
  });
  const fits = Math.abs(Date.parse(sentAt) - now.getTime()) <= TOLERANCE_SECONDS * 1_000;
  return !verified.ok || fits ? verified : { ok: false, signed: true, reason: `${SENT_AT} is too far off` };
}

function identify(request: IncomingWebhook): WebhookIdentity {
  const topic = topicOf(request.headers['acme-topic']);
  const dedupeKey = tokenOf(request.headers['acme-delivery']) ?? contentKey(topic, request.rawBody);
  const { sale_no: sale } = peekJson(request.rawBody);
  return {
    topic,
    dedupeKey,
    orderingKey: laneOf('order', sale, dedupeKey),
    attributes: keepHeaders(request, { sentAt: [SENT_AT] }),
  };
}

/** A shop that nobody has: what a provider costs that somebody adds to Ponte. */
export const acme: SourceProvider = {
  id: 'acme',
  title: 'Acme Shop',
  settings: {
    bookTestOrders: SHARED_SETTINGS.bookTestOrders,
    timeZone: SHARED_SETTINGS.timeZone,
  },
  setUp: [
    'In the shop, open Channels, then Webhooks.',
    'Add a webhook for sale.settled with the address of this source.',
    'Enter the key that the shop shows as a secret of this source.',
  ],
  signatureHeaders: [SIGNATURE],
  toleranceSeconds: TOLERANCE_SECONDS,
  verify,
  identify,
  normalise: normaliseAcme,
  sign: signAsAcme,
  samples: ACME_SAMPLES,
};
