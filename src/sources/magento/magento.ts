import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings } from '../settings';
import type { HandshakeReply, IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { fetchBack, magentoApi } from './fetch';
import { magentoList } from './list';
import { MAGENTO_SAMPLES } from './magento.samples';
import { addressedTo, signAsAdobe } from './magento.signer';
import { normaliseMagento } from './normalise';
import { peekEntity } from './notification';
import { publicKeys, SIGNATURE_HEADERS, verifyAdobe } from './verify';

const CHALLENGE = /^[\w-]{1,100}$/;

/** Before Adobe sends anything to an address, the address has to repeat a text. */
function handshake({ method, query: { challenge } }: IncomingWebhook): HandshakeReply | undefined {
  if (method !== 'GET' || challenge === undefined || !CHALLENGE.test(challenge)) return undefined;
  return { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify({ challenge }) };
}

function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const body = peekJson(rawBody);
  const topic = topicOf(body.type);
  const dedupeKey = tokenOf(body.id) ?? contentKey(topic, rawBody);
  return {
    topic,
    dedupeKey,
    orderingKey: laneOf(...peekEntity(topic, body.data), dedupeKey),
    attributes: {},
  };
}

/** Adobe Commerce (Magento): events that Adobe signs and that name what was saved, which is fetched from the shop. */
export const magento: SourceProvider = {
  id: 'magento',
  title: 'Adobe Commerce (Magento)',
  settings: {
    apiUrl: {
      type: 'string',
      description:
        'Address of the shop, with what stands before /rest/V1 in addresses of its API, as https://loja.example.com.',
      format: 'web-address',
      required: true,
    },
    baseCurrency: {
      type: 'boolean',
      description:
        "Books the amounts of orders in the shop's own currency (base_…), for shops that show other currencies and whose gateway takes this one.",
      default: false,
    },
    ...sharedSettings('documentField', 'instalmentsField'),
    keysUrl: {
      type: 'string',
      description:
        "Address of a mirror of Adobe's public keys, where Ponte cannot reach https://static.adobeioevents.com. Whoever runs it can sign events.",
      format: 'web-address',
    },
  },
  setUp: [
    'In the Admin of the shop, open System, then Extensions, then Integrations, then Add New Integration. Under API give it Resource Access to Sales (Operations: Orders, Invoices, Credit Memos; Actions: View) and Customers. Save it, Activate it, and copy the Access Token: it is the credential accessToken of this source.',
    'Set Stores, Configuration, Services, OAuth, Consumer Settings, Allow OAuth Access Tokens to be used as standalone Bearer tokens to Yes.',
    'In the Adobe Developer Console, create a project with the API I/O Management API and the credential OAuth Server-to-Server. Enter its Client ID as a secret of this source, and the address of the shop as the setting apiUrl.',
    'In the Admin, under Stores, Configuration, Adobe Services, Adobe I/O Events, connect the shop to the project and set Enabled to Yes.',
    'Under System, Events, Event Subscriptions, subscribe to observer.sales_order_save_commit_after, observer.sales_order_invoice_save_commit_after, observer.sales_order_creditmemo_save_commit_after and observer.customer_save_commit_after. Send the fields entity_id, increment_id, created_at and updated_at of orders, order_id of invoices and credit memos, and entity_id of customers.',
    'In the Developer Console, choose Add to Project, then Event, then the event provider of the shop and these events. Under How to receive events choose Webhook, one event for each request (no batch), with the address of this source as Webhook URL.',
    'Adobe asks the address to repeat a challenge, which Ponte does; the registration is then Active.',
    'Place a small order and see that it arrives. Magento marks no order as a test: keep the sandbox of gateways off a shop that is connected.',
  ],
  handshake,
  signatureHeaders: SIGNATURE_HEADERS,
  publicKeys,
  verify: verifyAdobe,
  identify,
  api: magentoApi,
  fetchBack,
  list: magentoList,
  normalise: normaliseMagento,
  sign: signAsAdobe,
  bodyFor: addressedTo,
  topicInBody: true,
  samples: MAGENTO_SAMPLES,
};
