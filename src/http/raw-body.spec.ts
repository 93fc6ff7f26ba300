import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { Controller, HttpCode, Module, Post, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { until } from '../../test/support/until';
import { createApp } from './create-app';
import { BODY_LIMIT, BodyReception, NETWORK_LIMIT } from './body-reception';

@Controller('length')
class LengthController {
  @Post()
  @HttpCode(200)
  length(@Req() { body }: FastifyRequest): { length: number } {
    return { length: (body as Buffer).length };
  }
}

@Module({ controllers: [LengthController] })
class LengthModule {}

const ALMOST_ALL = Buffer.alloc(BODY_LIMIT - 1, 'x');
/** More than one network's senders may have under way, each all but for the last byte. */
const TOO_MANY = Math.ceil(NETWORK_LIMIT / BODY_LIMIT) * 4;

/** Bytes, as few as are taken for five seconds of a body that comes fast enough. */
const FIVE_SECONDS = 5 * 4 * 1024;

describe('bodies that are being received', () => {
  let app: NestFastifyApplication;
  let senders: Sender[] = [];
  /** What is done each second, which is over when a test says so. */
  const everySecond = new Map<object, () => void>();

  beforeAll(async () => {
    jest.spyOn(globalThis, 'setInterval').mockImplementation((callback, milliseconds) => {
      expect(milliseconds).toBe(1_000);
      const timer = { unref: () => timer } as NodeJS.Timeout;
      everySecond.set(timer, callback);
      return timer;
    });
    jest.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
      everySecond.delete(timer as NodeJS.Timeout);
    });
    app = await createApp(LengthModule);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  beforeEach(() => {
    senders = [];
  });
  afterEach(() => Promise.all(senders.map((sender) => sender.leave())));

  async function sender(length = BODY_LIMIT, path = '/length'): Promise<Sender> {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const made = new Sender(socket, path, length);
    senders.push(made);
    return made;
  }

  function connections(): Promise<number> {
    const server = app.getHttpServer() as Server;
    return new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  it('are given up, those that take most memory longest, and a newcomer is taken', async () => {
    const early = await sender();
    early.send(ALMOST_ALL);
    const many = await Promise.all(Array.from({ length: TOO_MANY }, () => sender()));
    many.forEach((each) => each.send(ALMOST_ALL));
    expect(await early.reply).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*"error":"saturated"/i);
    for (let newcomer = 0; newcomer < 20; newcomer += 1) {
      const one = await sender(10);
      one.send(Buffer.from('0123456789'));
      expect(await one.reply).toMatch(/\{"length":10\}$/);
    }
    expect(many.some(({ answered }) => !answered)).toBe(true);
  });

  it('free their memory when their senders go away in the middle', async () => {
    const many = await Promise.all(Array.from({ length: TOO_MANY }, () => sender()));
    many.forEach((each) => each.send(ALMOST_ALL));
    await Promise.race(many.map(({ reply }) => reply));
    await Promise.all(many.map((each) => each.leave()));
    await until(async () => (await connections()) === 0);
    const next = await Promise.all(Array.from({ length: NETWORK_LIMIT / BODY_LIMIT }, () => sender()));
    next.forEach((each) => each.send(ALMOST_ALL));
    next.forEach((each) => each.send(Buffer.from('x')));
    const replies = await Promise.all(next.map(({ reply }) => reply));
    expect(replies.every((reply) => reply.endsWith(`{"length":${BODY_LIMIT}}`))).toBe(true);
  });

  function secondsPass(seconds: number): void {
    for (let passed = 0; passed < seconds; passed += 1) everySecond.forEach((act) => act());
  }

  it('that come too slowly are given up, and those that come fast enough are not', async () => {
    const received = jest.spyOn(
      BodyReception.prototype as unknown as { take: (one: object, chunk: Buffer) => void },
      'take',
    );
    const [slow, steady] = [await sender(), await sender()];
    slow.send(Buffer.from('x'));
    await until(() => received.mock.calls.length === 1);
    steady.send(Buffer.alloc(FIVE_SECONDS, 'x'));
    const bytes = () => received.mock.calls.reduce((sum, [, { length }]) => sum + length, 0);
    await until(() => bytes() === 1 + FIVE_SECONDS);
    secondsPass(4);
    const other = await sender(1);
    other.send(Buffer.from('x'));
    await other.reply;
    expect(slow.answered).toBe(false);
    secondsPass(1);
    expect(await slow.reply).toMatch(/^HTTP\/1\.1 408 [^]*"error":"body-too-slow"/);
    steady.send(Buffer.alloc(BODY_LIMIT - FIVE_SECONDS, 'x'));
    expect(await steady.reply).toMatch(new RegExp(`\\{"length":${BODY_LIMIT}\\}$`));
    received.mockRestore();
  });

  it('are refused unread where nothing is served, and the connection ends if they go on for long', async () => {
    const refused = await sender(BODY_LIMIT, '/nowhere');
    expect(await refused.reply).toMatch(/^HTTP\/1\.1 404 /);
    secondsPass(6);
    await refused.ended;
  });

  it('are one, in whatever pieces they come', async () => {
    const one = await sender();
    for (let sent = 0; sent < BODY_LIMIT; sent += BODY_LIMIT / 4) one.send(Buffer.alloc(BODY_LIMIT / 4, 'x'));
    expect(await one.reply).toMatch(new RegExp(`\\{"length":${BODY_LIMIT}\\}$`));
  });
});

/** A sender that says how much it will send, and then sends it as it likes. */
class Sender {
  /** The whole reply, when its body has come. */
  readonly reply: Promise<string>;
  /** Whether any of it has come. */
  answered = false;
  /** The other side has ended the connection. */
  readonly ended: Promise<unknown>;

  constructor(
    private readonly socket: Socket,
    path: string,
    length: number,
  ) {
    this.ended = once(socket, 'close');
    socket.on('error', () => undefined);
    let received = '';
    this.reply = new Promise((resolve) => {
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text;
        this.answered = true;
        if (received.endsWith('}')) resolve(received);
      });
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`,
    );
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** Goes away; what it sent is read before the server learns of it. */
  async leave(): Promise<void> {
    if (this.socket.destroyed) return;
    const closed = once(this.socket, 'close');
    this.socket.destroy();
    await closed;
  }
}
