import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import { cpfNumber } from '../../support/documents';
import { exchange, type Request } from './exchange';
import { ATTACKED, type Target } from './target';
import { signed } from './webhooks';

const DECLARED = 1_048_576;
/** What an attacker has sent of a body: all but a few bytes, so that whatever is kept for bodies is used up. */
const BEGINNING = 'x'.repeat(DECLARED - 20);
/** How many genuine webhooks are sent in the face of each siege. */
const GENUINE = 5;

/** How long an attacker may take to send what it sends, in milliseconds. */
const SENDING_LIMIT_MS = 3_000;

/** How an attacker begins a request and does not end it. */
const BEGUN: Readonly<Record<string, string>> = {
  'a body to no path': head('POST /nonexistent', `Content-Length: ${DECLARED}`) + BEGINNING,
  'a body to no source': head(`POST /hooks/${ATTACKED}/nowhere`, `Content-Length: ${DECLARED}`) + BEGINNING,
  'a body without a signature':
    head(`POST /hooks/${ATTACKED}/shopify`, `Content-Length: ${DECLARED}`) + BEGINNING,
  'a body with a made-up signature':
    head(
      `POST /hooks/${ATTACKED}/shopify`,
      `Content-Length: ${DECLARED}`,
      'Content-Type: application/json',
      'X-Shopify-Topic: orders/paid',
      `X-Shopify-Hmac-Sha256: ${Buffer.alloc(32, 3).toString('base64')}`,
    ) + BEGINNING,
  'a body in pieces': `${head(`POST /hooks/${ATTACKED}/shopify`, 'Transfer-Encoding: chunked')}${BEGINNING.length.toString(16)}\r\n${BEGINNING}\r\n`,
  'a body without a key': head('POST /v1/customers', `Content-Length: ${DECLARED}`) + BEGINNING,
  'a body with a wrong key':
    head(
      'POST /v1/customers',
      `Content-Length: ${DECLARED}`,
      `Authorization: Bearer ponte_${'y'.repeat(43)}`,
    ) + BEGINNING,
  'a body for operators': head('POST /admin/organizations', `Content-Length: ${DECLARED}`) + BEGINNING,
  'headers without an end': `POST /hooks/${ATTACKED}/shopify HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(2_000)}\r\n`,
  'nothing at all': '',
};

/** Where it comes from: one strange address, or behind the same proxy as the shops. */
const ADDRESSES = ['127.0.0.66', '127.0.0.1'];

/**
 * Connections that begin and do not go on, and a byte a second on some; genuine webhooks are answered 200 meanwhile.
 * @param counts how many connections, in turn
 * @param forMs how long each siege lasts
 */
export async function halfSent(target: Target, counts: readonly number[], forMs: number): Promise<string[]> {
  const faults: string[] = [];
  for (const from of ADDRESSES)
    for (const count of counts)
      for (const [name, begun] of Object.entries(BEGUN)) {
        const found = await besieged(target, { from, count, begun, forMs });
        if (found) faults.push(`${count} times ${name} from ${from}: ${found}`);
      }
  return faults;
}

interface Siege {
  from: string;
  count: number;
  begun: string;
  forMs: number;
}

async function besieged(target: Target, { from, count, begun, forMs }: Siege): Promise<string | undefined> {
  const { hostname, port } = new URL(target.url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    // It is refused, or closed on: so it should be.
    socket
      .on('error', () => undefined)
      .on('connect', () => socket.write(begun))
      .resume();
    return socket;
  });
  const dripping = setInterval(() => sockets.forEach((socket) => drip(socket)), 1_000);
  try {
    // What the service reads at all has left here; the rest it leaves in the network, or has refused.
    for (let waited = 0; waited < SENDING_LIMIT_MS && sockets.some(isSending); waited += 50) await sleep(50);
    return await genuineWebhooks(target, forMs);
  } finally {
    clearInterval(dripping);
    for (const socket of sockets) socket.destroy();
  }
}

function isSending(socket: Socket): boolean {
  return !socket.destroyed && (socket.connecting || socket.writableLength > 0);
}

function drip(socket: Socket): void {
  if (socket.writable) socket.write('x');
}

/** What was answered instead of 200, if anything was. */
async function genuineWebhooks(target: Target, forMs: number): Promise<string | undefined> {
  const answers = new Map<string, number>();
  for (let index = 0; index < GENUINE; index += 1) {
    const { status, error = '' } = await exchange(target.url, { ...genuine(), patienceMs: 10_000 });
    const answer = `${status} ${error}`.trim();
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    await sleep(forMs / GENUINE);
  }
  answers.delete('200');
  const others = [...answers].map(([answer, times]) => `${times} × ${answer}`).join(', ');
  return others === '' ? undefined : `of ${GENUINE} genuine webhooks ${others}`;
}

let sent = 0;

function genuine(): Request {
  sent += 1;
  const order = {
    id: 4_000_000_000_000 + sent,
    number: sent,
    total: '10.00',
    name: 'Caio Reis',
    document: cpfNumber(777),
    email: 'caio@example.com',
    instalments: 1,
  };
  const body = `${shopifyOrder(order, false).toString('utf8')}${' '.repeat(4_000)}`;
  return signed({
    source: 'shopify',
    topic: 'orders/create',
    id: `g-${sent}`,
    body,
  });
}

function head(line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: ponte.example', ...headers, '', ''].join('\r\n');
}
