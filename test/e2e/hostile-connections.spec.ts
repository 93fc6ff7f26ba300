import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';
import { until } from '../support/until';

/** As many as were once enough to stop all intake, and four times as many where bodies have to be read to the end. */
const CONNECTIONS = 48;
const SIGNED_CONNECTIONS = 200;
/** Of each body only the last byte is missing. */
const LENGTH = 1024 * 1024;
const ORDER = {
  number: 1,
  total: '10.00',
  name: 'Caio Reis',
  document: cpfNumber(779),
  email: 'caio@example.com',
  instalments: 1,
};
const JSON_TYPE = 'Content-Type: application/json';

/** Where a request is refused by its headers alone, what these are, and the answer. */
const REFUSED: readonly (readonly [where: string, path: string, headers: string[], answer: RegExp])[] = [
  ['at no path', '/nonexistent', [], /^HTTP\/1\.1 404 [^]*not-found/],
  ['without a key', '/v1/customers', [], /^HTTP\/1\.1 401 [^]*key-missing/],
  [
    'with a wrong key',
    '/admin/organizations',
    ['Authorization: Bearer x'],
    /^HTTP\/1\.1 401 [^]*key-invalid/,
  ],
  ['at the address of no source', '/hooks/main/nobody', [], /^HTTP\/1\.1 401 [^]*signature-invalid/],
  ['without a signature', '/hooks/main/woocommerce', [], /^HTTP\/1\.1 401 [^]*signature-invalid/],
  [
    'without a signature, at an address with percent signs',
    '/%68ooks/main/shopify',
    [],
    /^HTTP\/1\.1 401 [^]*signature-invalid/,
  ],
  [
    'without a signature, at an absolute address',
    'http://test/hooks/main/shopify',
    [],
    /^HTTP\/1\.1 401 [^]*signature-invalid/,
  ],
];

/** What the connection has received so far. */
interface Attacker {
  received: string;
  closed: boolean;
}

describe('many connections whose bodies never end', () => {
  let service: TestService;
  let sockets: Socket[];
  let orders = 9_200_000_000_000;

  /** Refused by their headers alone, one for each of {@link REFUSED}. */
  let refused: Attacker[];
  let silentClosed: Promise<unknown>;

  beforeAll(async () => {
    service = await TestService.start();
    sockets = [];
    const { hostname, port } = new URL(service.url);
    silentClosed = once(connect(Number(port), hostname).resume(), 'close');
    refused = await Promise.all(
      REFUSED.map(([, path, headers]) => attack(path, [JSON_TYPE, ...headers], Buffer.alloc(0))),
    );
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    sockets = [];
  });
  afterEach(() => sockets.forEach((socket) => socket.destroy()));

  async function attack(path: string, headers: readonly string[], sends: Buffer): Promise<Attacker> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    const attacker: Attacker = { received: '', closed: false };
    socket.on('error', () => undefined).on('close', () => (attacker.closed = true));
    socket.setEncoding('latin1').on('data', (text: string) => (attacker.received += text));
    await once(socket, 'connect');
    const head = [`POST ${path} HTTP/1.1`, 'Host: test', ...headers, `Content-Length: ${LENGTH}`];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(sends);
    return attacker;
  }

  async function genuine(): Promise<number> {
    orders += 1;
    const body = shopifyOrder({ ...ORDER, id: orders }, false);
    return (await service.hook({ source: 'shopify', topic: 'orders/create', body })).status;
  }

  it.each<[string, string, string[]]>([
    ['at no path', '/nonexistent', [JSON_TYPE]],
    ['at a path with another method', '/health/live', [JSON_TYPE]],
    ['without a key', '/v1/customers', [JSON_TYPE]],
    ['with a wrong key', '/v1/customers', [JSON_TYPE, 'ApiToken: ponte_wrong']],
    ['without an operators’ key', '/admin/organizations', [JSON_TYPE]],
    ['at the address of no source', '/hooks/main/nobody', [JSON_TYPE]],
    [
      'at the address of no source, with a made-up signature',
      '/hooks/main/nobody',
      ['X-Shopify-Hmac-Sha256: x'],
    ],
    ['without a signature', '/hooks/main/shopify', [JSON_TYPE]],
    ['with a made-up signature', '/hooks/main/shopify', ['X-Shopify-Hmac-Sha256: bWFkZSB1cA==']],
  ])(
    '%s do not keep a genuine webhook out',
    async (_, path, headers) => {
      const signed = path === '/hooks/main/shopify' && !headers.includes(JSON_TYPE);
      const connections = signed ? SIGNED_CONNECTIONS : CONNECTIONS;
      const attackers = await Promise.all(
        Array.from({ length: connections }, () => attack(path, headers, Buffer.alloc(LENGTH - 1, 0x20))),
      );
      const statuses: number[] = [];
      for (let round = 0; round < 4; round += 1)
        statuses.push(...(await Promise.all(Array.from({ length: 5 }, genuine))));
      expect(statuses).toEqual(statuses.map(() => 200));
      expect(attackers).toHaveLength(connections);
    },
    120_000,
  );

  it('are answered before a body comes, and closed, as those are on which nothing at all is sent', async () => {
    await until(() => refused.every(({ received }) => received.includes('}')));
    for (const [index, [where, , , answer]] of REFUSED.entries())
      expect([where, refused[index]!.received]).toEqual([where, expect.stringMatching(answer)]);
    await until(() => refused.every(({ closed }) => closed));
    const server = service.part<HttpAdapterHost>(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
    expect(server.headersTimeout).toBe(10_000);
    // So that nobody has to wait for that.
    server.headersTimeout = 1;
    await silentClosed;
  });
});
