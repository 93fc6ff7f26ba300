import { laneOf, peekJson, topicOf } from '../../src/sources/identity';
import { Payload, UnreadablePayload } from '../../src/sources/payload';
import { SHARED_SETTINGS, textSetting } from '../../src/sources/settings';
import { verifyShownSecret } from '../../src/sources/signature';
import type { FetchBack, SourceProvider, SourceApi } from '../../src/sources/source';
import { normaliseStandardWebhook } from '../../src/sources/standard-webhooks/normalise';

/** `still`: it stays in the lane that it arrived in. */
const NAMING: readonly string[] = ['order', 'still'];

const api: SourceApi = {
  credentials: { accessToken: { description: 'the token of the shop of these tests' } },
  baseUrl: (settings) => textSetting(settings, 'apiUrl') ?? 'https://thin.example',
};

const fetchBack: FetchBack = {
  next({ topic, rawBody, fetched = [] }, { credentials }) {
    const id = Payload.parse(rawBody).text('id');
    if (id === undefined) throw new UnreadablePayload('$.id is missing');
    if (!NAMING.includes(topic) || fetched.length > 0) return undefined;
    const headers = { authorization: `Bearer ${credentials['accessToken'] ?? ''}` };
    return { name: 'order', path: `/orders/${encodeURIComponent(id)}`, headers };
  },
  orderingKey({ topic, fetched: [order] = [] }) {
    if (topic === 'still') return undefined;
    const number = order && Payload.parse(order.body).at('data').text('id');
    return number === undefined ? undefined : `order/${number}`;
  },
};

/**
 * A shop that says `{"type": "order", "id": "7"}` and no more, signs nothing and has the secret in its address. Its API
 * answers with a message as Standard Webhooks have it.
 */
export const thin: SourceProvider = {
  id: 'thin',
  title: 'Thin',
  settings: { apiUrl: SHARED_SETTINGS.apiUrl },
  setUp: [],
  verify: ({ token }, secrets) => verifyShownSecret(secrets, token),
  identify({ rawBody }) {
    const { type, id } = peekJson(rawBody);
    const topic = topicOf(type);
    const dedupeKey = `${topic}/${String(id)}`;
    return {
      topic,
      dedupeKey,
      orderingKey: laneOf('payment', id, dedupeKey),
      attributes: {},
      untilFetched: true,
    };
  },
  api,
  fetchBack,
  acceptedStatus: 202,
  normalise({ topic, fetched = [], receivedAt, attributes, rawBody }, context) {
    const [order] = fetched;
    if (topic === 'order.paid')
      return normaliseStandardWebhook({ topic, attributes, receivedAt, rawBody }, context);
    if (!NAMING.includes(topic)) return { ignored: `Thin says nothing of ${topic}` };
    if (!order) throw new UnreadablePayload('its order was not fetched');
    if (order.status !== 200) return { ignored: 'the order is not there any more' };
    return normaliseStandardWebhook(
      { topic: 'order.paid', attributes, receivedAt, rawBody: order.body },
      context,
    );
  },
  sign: () => ({}),
  secretInAddress: true,
  topicInBody: true,
  samples: [],
};
