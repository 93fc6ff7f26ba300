import { contentKey, peekJson, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { mercadoPagoApi, mercadoPagoFetchBack } from './fetch-back';
import { MERCADO_PAGO_SAMPLES } from './mercado-pago.samples';
import { COMPARE_PAYMENTS, importMercadoPagoLine, mercadoPagoList } from './list';
import { normaliseMercadoPago } from './normalise';
import { isNumber, kindOf } from './notification';
import {
  queryOfMercadoPago,
  signAsMercadoPago,
  SIGNATURE_HEADER,
  SIGNED_ID,
  verifyMercadoPago,
} from './verify';

/**
 * A notification is known by what is signed of it: its own `id` is in the body, and whoever has one signed address could
 * send it with the `id` of a notification that is still to come. Until Ponte begins to ask, another notification of the
 * same payment says the same; from then on it is asked about again.
 */
function identify({ query, rawBody }: IncomingWebhook): WebhookIdentity {
  const topic = topicOf(peekJson(rawBody).type);
  const kind = kindOf(topic);
  const id = query[SIGNED_ID];
  if (kind === undefined || !isNumber(id)) {
    const dedupeKey = contentKey(topic, rawBody);
    return { topic, dedupeKey, orderingKey: `delivery/${dedupeKey}`, attributes: {} };
  }
  const lane = kind === 'payment' ? 'payment' : 'dispute';
  return {
    ...{ topic, dedupeKey: `${topic}:${id}`, untilFetched: true },
    orderingKey: `${lane}/${id}`,
    attributes: { dataId: id },
  };
}

/** Mercado Pago: notifications that name a payment or chargeback, of which the address is signed and the body is not. */
export const mercadoPago: SourceProvider = {
  id: 'mercado-pago',
  title: 'Mercado Pago',
  settings: {
    ...sharedSettings('withoutSales', 'bookTestOrders', 'apiUrl', 'timeZone'),
    [COMPARE_PAYMENTS]: {
      type: 'boolean',
      description:
        'Finds payments of the account that no notification brought. Only where every payment with an external_reference is a sale of this source: Mercado Pago does not say which application a payment is of, and those of another one would be booked here too.',
      default: false,
    },
  },
  setUp: [
    'If the shop that takes these payments sends webhooks to Ponte itself, set withoutSales: else each sale is booked twice. Ponte then asks for the payments of the account once an hour, whichever application they are of.',
    'In Mercado Pago, open Suas integrações, then your application, then Webhooks, then Configurar notificações, with Modo de produção.',
    'URL is the address of this source. Choose the events Pagamentos and Contestações (chargebacks), and save.',
    'Copy the Assinatura secreta that is shown there: enter it as a secret of this source.',
    'In Credenciais de produção, copy the Access Token: enter it as the credential accessToken of this source.',
    'Have your shop send its own number of the order as external_reference of each payment or preference.',
    'Pay a small order and see that it arrives. Simular notificação names a payment that does not exist: it arrives and is set aside.',
    'So that Ponte finds payments that no notification brought, set comparePayments, if no other shop or source takes payments with the same account. Sales of Mercado Livre are left out.',
  ],
  signatureHeaders: [SIGNATURE_HEADER],
  verify: verifyMercadoPago,
  identify,
  api: mercadoPagoApi,
  fetchBack: mercadoPagoFetchBack,
  list: mercadoPagoList,
  importLine: importMercadoPagoLine,
  normalise: normaliseMercadoPago,
  sign: signAsMercadoPago,
  signQuery: queryOfMercadoPago,
  topicInBody: true,
  samples: MERCADO_PAGO_SAMPLES,
};
