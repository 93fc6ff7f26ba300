import { randomBytes, randomUUID } from 'node:crypto';
import { signedHeaders } from '../../src/sources/registry';
import type { Api, Reply } from './api';
import { type DemoOrder, shopifyOrder, wooOrder } from './shop-orders';

/** A webhook of the demo: what it is, what was answered, and whether that is what should be answered. */
export interface SentWebhook {
  what: string;
  topic: string;
  status: number;
  answer: string;
  asExpected: boolean;
}

/** Secrets made for one demo and forgotten with it. */
export interface DemoSecrets {
  shopify: string;
  wooCommerce: string;
  standard: string;
}

export function makeSecrets(): DemoSecrets {
  const [shopify, wooCommerce] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')];
  return { shopify, wooCommerce, standard: `whsec_${randomBytes(24).toString('base64')}` };
}

const CHAIR: DemoOrder = {
  id: 5820013469001,
  number: 1001,
  total: '100.00',
  name: 'Marina Duarte',
  document: '529.982.247-25',
  email: 'marina@example.com',
  instalments: 3,
};

const LAMP: DemoOrder = {
  id: 5820013469002,
  number: 1002,
  total: '259.90',
  name: 'Oficina do Vale Ltda',
  document: '11.222.333/0001-81',
  email: 'compras@example.com',
  instalments: 1,
};

const INVALID: DemoOrder = {
  ...CHAIR,
  id: 5820013469003,
  number: 1003,
  total: '80.00',
  name: 'Rui Castro',
  document: '123.456.789-00',
  email: 'rui@example.com',
};

const TABLE: DemoOrder = {
  id: 731,
  number: 731,
  total: '1349.99',
  name: 'Davi Moreira',
  document: '111.444.777-35',
  email: 'davi@example.com',
  instalments: 1,
};

const BOLETO: DemoOrder = {
  id: 732,
  number: 732,
  total: '350.00',
  name: 'Nair Batista',
  document: '390.533.447-05',
  email: 'nair@example.com',
  instalments: 1,
};

/** Sends the demo's webhooks one after another, as two shops and one stranger would. */
export async function sendAll(api: Api, secrets: DemoSecrets): Promise<SentWebhook[]> {
  const sent: SentWebhook[] = [];

  async function send(what: string, topic: string, reply: Promise<Reply>, expected: Expected): Promise<void> {
    const { status, body } = await reply;
    const { delivery, duplicate, type } = (typeof body === 'object' && body !== null ? body : {}) as Answer;
    const answer =
      delivery === undefined ? (type ?? 'accepted') : duplicate === true ? 'known already' : 'stored';
    const asExpected =
      status === expected.status && (expected.duplicate === undefined || duplicate === expected.duplicate);
    sent.push({ what, topic, status, answer: answer.replace(/^.*[:/]/, ''), asExpected });
  }

  const shopify = (
    topic: string,
    body: Buffer,
    id: string = randomUUID(),
    secret = secrets.shopify,
  ): Promise<Reply> =>
    api.hook('shopify', signedHeaders('shopify', { topic, body, id, secret, sentAt: new Date() }), body);
  const woo = (topic: string, body: Buffer): Promise<Reply> => {
    const message = { topic, body, id: randomUUID(), secret: secrets.wooCommerce, sentAt: new Date() };
    return api.hook('woocommerce', signedHeaders('woocommerce', message), body);
  };

  const paid = shopifyOrder(CHAIR, true);
  const delivery = randomUUID();
  await send(
    'Order 1001, R$ 100.00 in 3 instalments, paid',
    'orders/paid',
    shopify('orders/paid', paid, delivery),
    STORED,
  );
  await send('The same delivery again', 'orders/paid', shopify('orders/paid', paid, delivery), KNOWN);
  await send('The same order under another delivery id', 'orders/paid', shopify('orders/paid', paid), STORED);

  await send(
    'Order 1002, paid, before anybody heard of it',
    'orders/paid',
    shopify('orders/paid', shopifyOrder(LAMP, true)),
    STORED,
  );
  await send(
    'Order 1002, created, too late',
    'orders/create',
    shopify('orders/create', shopifyOrder(LAMP, false)),
    STORED,
  );

  const refunds = [refundOf(71, '40.00')];
  const refunded = changed(shopifyOrder(LAMP, true), { financial_status: 'partially_refunded', refunds });
  await send(
    'Order 1002, R$ 40.00 given back',
    'orders/updated',
    shopify('orders/updated', refunded),
    STORED,
  );
  await send(
    'The same refund again, with a note',
    'orders/updated',
    shopify('orders/updated', changed(refunded, { note: 'Devolvido' })),
    STORED,
  );

  const ping = Buffer.from('webhook_id=12');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await send('WooCommerce tries the address', 'ping', api.hook('woocommerce', form, ping), { status: 200 });
  await send(
    'WooCommerce order 731 arrives',
    'order.created',
    woo('order.created', wooOrder(TABLE, 'pending')),
    STORED,
  );
  await send(
    'WooCommerce order 731 becomes paid',
    'order.updated',
    woo('order.updated', wooOrder(TABLE, 'processing')),
    STORED,
  );
  const meta_data = [
    { key: '_billing_cpf', value: TABLE.document },
    { key: '_stripe_fee', value: '54.25' },
  ];
  await send(
    'Its gateway says what it keeps: R$ 54.25',
    'order.updated',
    woo('order.updated', changed(wooOrder(TABLE, 'processing'), { meta_data })),
    STORED,
  );

  const [waiting, paidBoleto] = boletoMessages();
  await send(
    'WooCommerce order 732 waits for its boleto',
    'order.created',
    woo('order.created', waiting),
    STORED,
  );
  await send('The boleto of R$ 350.00 is paid', 'order.updated', woo('order.updated', paidBoleto), STORED);

  await send(
    'A stranger forges a paid order',
    'orders/paid',
    shopify('orders/paid', shopifyOrder(INVALID, true), randomUUID(), 'guessed'),
    {
      status: 401,
    },
  );
  await send(
    'A body cut in the middle',
    'orders/paid',
    shopify('orders/paid', paid.subarray(0, paid.length >> 1)),
    STORED,
  );
  await send(
    'Order 1003, paid, with an invalid CPF',
    'orders/paid',
    shopify('orders/paid', shopifyOrder(INVALID, true)),
    STORED,
  );
  return sent;
}

/** An order as WooCommerce tells it while its boleto is not paid, and once it is. */
function boletoMessages(): [waiting: Buffer, paid: Buffer] {
  const boleto = {
    payment_method: 'pagbank_boleto',
    payment_method_title: 'Boleto',
    meta_data: [
      { key: '_billing_cpf', value: BOLETO.document },
      { key: 'pagbank_boleto_due_date', value: '2026-11-23' },
    ],
  };
  return [
    changed(wooOrder(BOLETO, 'pending'), { ...boleto, status: 'on-hold' }),
    changed(wooOrder(BOLETO, 'processing'), boleto),
  ];
}

/** The same payload with these fields instead of its own. */
function changed(body: Buffer, fields: object): Buffer {
  return Buffer.from(JSON.stringify({ ...(JSON.parse(body.toString()) as object), ...fields }));
}

/** A refund as Shopify lists it in its order. */
function refundOf(id: number, amount: string) {
  const processed_at = '2026-11-22T09:00:00-03:00';
  const transactions = [{ kind: 'refund', status: 'success', gateway: 'mercado_pago', amount, processed_at }];
  return { id, created_at: processed_at, transactions };
}

/** What a webhook address answers: a delivery, or a problem document. */
interface Answer {
  delivery?: string;
  duplicate?: boolean;
  type?: string;
}

interface Expected {
  status: number;
  duplicate?: boolean;
}

const STORED: Expected = { status: 200, duplicate: false };
const KNOWN: Expected = { status: 200, duplicate: true };
