import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedHeaders } from '../../src/sources/registry';
import { cpfNumber } from '../../test/support/documents';
import { SECRET } from '../frame/measured-service';

/** What differs from one order of the load to another. */
export interface LoadOrder {
  /** Unique in its database. */
  number: number;
  /** Number of who buys; orders of one number are one customer's. */
  customer: number;
  /** Absent: 1000.00. */
  total?: string;
}

/** What bodies without a part that the others do not need come to: about 4.8 KB. */
const LEFT_OUT = ['shipping_address', 'total_line_items_price', 'subtotal_price'];
const FIXTURE = join(__dirname, '../../test/fixtures/shopify/order-paid.json');
const FIRST_ORDER = 7_000_000_000_000;
const FIRST_CUSTOMER = 9_000_000_000_000;

/** The text of a paid order as Shopify sends it, cut where orders differ: even parts are text, odd ones names. */
const PIECES = readTemplate();

/** A paid order as `orders/paid` carries it: about 4.8 KB, two lines, three instalments. */
export function orderBody(order: LoadOrder): Buffer {
  const values: Record<string, string> = {
    order: String(FIRST_ORDER + order.number),
    number: String(order.number),
    customer: String(FIRST_CUSTOMER + order.customer),
    document: cpfNumber(order.customer),
    email: `cliente${order.customer}@example.com`,
    total: order.total ?? '1000.00',
  };
  return Buffer.from(PIECES.map((piece, index) => (index % 2 === 0 ? piece : values[piece])).join(''));
}

/**
 * A complete HTTP request, ready to be written to a connection.
 * @param signing what Shopify says of it and signs it with; absent: a paid order, signed as the bench's sources verify it
 */
export function webhookRequest(
  path: string,
  host: string,
  id: string,
  body: Buffer,
  { topic = 'orders/paid', secret = SECRET }: { topic?: string; secret?: string } = {},
): Buffer {
  const headers = signedHeaders('shopify', {
    topic,
    body,
    id,
    secret,
    sentAt: new Date(),
  });
  const lines = Object.entries({ host, ...headers, 'content-length': String(body.length) });
  const head = `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/**
 * Requests with the orders from one number on, each buying for the third time out of four customers.
 * @param url of the service
 */
export function orderRequests(url: string, from: number, count: number): Buffer[] {
  const { host } = new URL(url);
  const customers = Math.max(1, Math.ceil(count / 4));
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const body = orderBody({ number, customer: from + (index % customers) });
    return webhookRequest('/hooks/main/shopify', host, `order-${number}`, body);
  });
}

/**
 * Endless requests of which each is a delivery of its own: a few thousand bodies over and over, signed beforehand, every
 * time under another event id. Signing each would cost the generator what the measured service needs.
 */
export function endlessDeliveries(url: string, path = '/hooks/main/shopify', bodies = 2_000): () => Buffer {
  const { host } = new URL(url);
  const requests = Array.from({ length: bodies }, (_, number) =>
    webhookRequest(path, host, ID_PATTERN, orderBody({ number, customer: Math.ceil(number / 4) })),
  );
  const places = requests.map((request) => request.indexOf(ID_PATTERN));
  const start = `${process.pid}-${(starts += 1)}-`;
  let sent = 0;
  return () => {
    const at = sent % bodies;
    const request = requests[at] ?? Buffer.alloc(0);
    request.write(`${start}${String(sent).padStart(ID_PATTERN.length - start.length, '0')}`, places[at] ?? 0);
    sent += 1;
    return request;
  };
}

let starts = 0;
const ID_PATTERN = '########-####-####-############';

function readTemplate(): string[] {
  const order = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Record<string, unknown>;
  for (const field of LEFT_OUT) delete order[field];
  const customer = order['customer'] as Record<string, unknown>;
  order['customer'] = { ...customer, id: 1, email: '§email§' };
  Object.assign(order, {
    id: 0,
    email: '§email§',
    contact_email: '§email§',
    name: '#§number§',
    note_attributes: [
      { name: 'cpf', value: '§document§' },
      { name: 'parcelas', value: '3' },
    ],
  });
  return JSON.stringify(order)
    .replace('"id":0', '"id":§order§')
    .replace('"customer":{"id":1,', '"customer":{"id":§customer§,')
    .replaceAll('6128439017794', '§order§')
    .replaceAll('7710442398018', '§customer§')
    .replaceAll('"1000.00"', '"§total§"')
    .split('§');
}
