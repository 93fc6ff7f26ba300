import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { isObject } from '../../kernel/json-object';
import { sharedSettings } from '../settings';
import { base64Hmac, bodySignature } from '../signature';
import type { IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { normaliseYampi } from './normalise';
import { PAID_STATUSES, REFUNDED_STATUSES } from './status';
import { YAMPI_SAMPLES } from './yampi.samples';

function identify(request: IncomingWebhook): WebhookIdentity {
  const body = peekJson(request.rawBody);
  const topic = topicOf(body.event);
  const dedupeKey = tokenOf(body.event_id) ?? contentKey(topic, request.rawBody);
  const isOrder = topic.startsWith('order.') && !topic.startsWith('order.invoice.');
  const order = isOrder && isObject(body.resource) ? body.resource.id : undefined;
  return { topic, dedupeKey, orderingKey: laneOf('order', order, dedupeKey), attributes: {} };
}

/**
 * Yampi: the whole order in every webhook, signed over the body without a timestamp. Deliveries have no documented id, so
 * the content is what one is known by.
 */
export const yampi: SourceProvider = {
  id: 'yampi',
  title: 'Yampi',
  settings: {
    paidStatuses: {
      type: 'string',
      description:
        'Aliases of the order statuses that mean the money is there, separated by commas. A shop may have statuses of its own: add those that follow a payment.',
      default: PAID_STATUSES,
    },
    refundedStatuses: {
      type: 'string',
      description:
        'Aliases of the order statuses that mean all that was paid went back to the buyer, separated by commas.',
      default: REFUNDED_STATUSES,
    },
    ...sharedSettings('timeZone'),
  },
  setUp: [
    'In Yampi’s panel, open Configurações, then Webhooks, and add a webhook.',
    'URL is the address of this source. Choose the events Pedido criado (order.created), Pedido aprovado (order.paid) and status do pedido atualizado (order.status.updated). Pagamento negado (transaction.payment.refused) may be chosen too and posts nothing.',
    'Save it and copy its secret key (chave secreta): enter it as a secret of this source.',
    'Yampi names a gateway only by the number of its affiliation (afiliação). Enter these numbers in the table gatewayAccount, where each gateway has an account of its own.',
    'If the shop has statuses of its own, name their aliases in paidStatuses and refundedStatuses.',
    'Yampi waits five seconds for an answer and switches a webhook off after thirty failures: after an outage, check that it is still active.',
  ],
  ...bodySignature('x-yampi-hmac-sha256', base64Hmac),
  identify,
  normalise: normaliseYampi,
  topicInBody: true,
  samples: YAMPI_SAMPLES,
};
