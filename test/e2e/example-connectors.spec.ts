import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StubService } from '../support/stub-service';
import { EXAMPLES_OF_CONNECTORS } from '../system/feed/connectors';

let service: StubService;
let folder: string;

beforeEach(async () => {
  service = await StubService.start();
  folder = mkdtempSync(join(tmpdir(), 'ponte-connectors-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const CHANGE = { id: 'a-1', type: 'customer.created', subject: 'customer/1', data: {} };
const PAGE = JSON.stringify({ items: [CHANGE], cursor: 'c', more: false });

const FAULTS: readonly [what: string, fault: (response: ServerResponse, socket: Socket) => void][] = [
  [
    'a reply that broke off',
    (response, socket) => {
      response.writeHead(200, { 'content-length': PAGE.length });
      response.write(PAGE.slice(0, 20), () => socket.destroy());
    },
  ],
  ['a page of a proxy', (response) => response.end('<html>Back soon</html>')],
  [
    'a date after which it may come back',
    (response) => response.writeHead(503, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' }).end(),
  ],
];

it.each(
  EXAMPLES_OF_CONNECTORS.flatMap((example) =>
    FAULTS.map(([what, fault]) => ({ name: example.name, what, example, fault })),
  ),
)('$name asks again after $what', async ({ example, fault }) => {
  let asked = 0;
  const acknowledged = new Promise<string>((resolve) => {
    service.answer = (response, { method, url, body }, socket) => {
      if (method === 'PUT') return void response.end('{}', () => resolve(body));
      if (url.includes('/feed/cursors/')) return void response.writeHead(404).end('{}');
      asked += 1;
      if (asked > 1) return void response.end(PAGE);
      fault(response, socket);
    };
  });
  const [program, ...args] = example.command(folder);
  const env = { PATH: process.env['PATH'] ?? '', PONTE_URL: service.url(), PONTE_KEY: 'k' };
  const connector = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(connector.stderr);
  const ended = once(connector, 'exit').then(() => 'it ended');
  try {
    expect(await Promise.race([acknowledged, ended])).toMatch(/^\{"cursor":\s*"c"\}$/);
    expect(await example.kept(folder, 1)).toMatchObject([{ id: 'a-1' }]);
  } finally {
    connector.kill();
    await ended;
  }
  // Node says there of a time to wait that is none.
  expect(await said).toBe('');
});

it.each(EXAMPLES_OF_CONNECTORS)('$name says where there is no feed', async (example) => {
  service.answer = (response) => response.writeHead(404).end('<html>nginx</html>');
  const [program, ...args] = example.command(folder);
  const env = { PATH: process.env['PATH'] ?? '', PONTE_URL: service.url(), PONTE_KEY: 'k' };
  const connector = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(connector.stderr), once(connector, 'exit')]);
  expect([code, said]).toEqual([1, 'Ponte refused: there is no feed at this address\n']);
});

it.each(EXAMPLES_OF_CONNECTORS)(
  '$name says how it goes on behind what is no longer kept',
  async (example) => {
    service.answer = (response, { url }) => {
      if (url.includes('/feed/cursors/')) return void response.end('{"name":"erp","cursor":"old"}');
      response.writeHead(410).end('{"error":"cursor-expired","detail":"Changes are no longer kept"}');
    };
    const [program, ...args] = example.command(folder);
    const env = { PATH: process.env['PATH'] ?? '', PONTE_URL: service.url(), PONTE_KEY: 'k' };
    const connector = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [said, [code]] = await Promise.all([text(connector.stderr), once(connector, 'exit')]);
    expect([code, said]).toEqual([1, expect.stringContaining(`DELETE ${service.url()}/feed/cursors/erp`)]);
  },
);
