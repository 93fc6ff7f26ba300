import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { Controller, HttpCode, Module, Post, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { until } from '../../test/support/until';
import { createApp } from './create-app';
import { BODY_LIMIT, RECEIVING_LIMIT } from './raw-body';

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

/** How many bodies, each but for its last byte, are all that may be held. */
const ROOM = Math.floor(RECEIVING_LIMIT / (BODY_LIMIT - 1));
const ALMOST_ALL = Buffer.alloc(BODY_LIMIT - 1, 'x');

describe('bodies that are being received', () => {
  let app: NestFastifyApplication;
  let senders: Sender[];

  beforeAll(async () => {
    app = await createApp(LengthModule);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  beforeEach(() => {
    senders = [];
  });
  afterEach(() => Promise.all(senders.map((sender) => sender.leave())));

  async function sender(): Promise<Sender> {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const made = new Sender(socket);
    senders.push(made);
    return made;
  }

  function connections(): Promise<number> {
    const server = app.getHttpServer() as Server;
    return new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** So many senders of whose bodies only the last byte is missing, all of them together more than may be held. */
  async function tooMany(): Promise<{ refused: Sender[]; others: Sender[] }> {
    const all = await Promise.all(Array.from({ length: ROOM + 1 }, sender));
    const refused = await Promise.race(
      all.map(async (each) => {
        each.send(ALMOST_ALL);
        await each.reply;
        return each;
      }),
    );
    return { refused: [refused], others: all.filter((each) => each !== refused) };
  }

  it('are refused when all together are more than may be held, and those that fit are taken', async () => {
    const { refused, others } = await tooMany();
    expect(await refused[0]?.reply).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*"error":"saturated"/i);
    others.forEach((other) => other.send(Buffer.from('x')));
    const replies = await Promise.all(others.map(({ reply }) => reply));
    const whole = replies.filter((reply) => reply.endsWith(`{"length":${BODY_LIMIT}}`));
    expect(whole).toHaveLength(ROOM);
  });

  it('leave room again when their senders go away in the middle', async () => {
    const { others } = await tooMany();
    await Promise.all(others.map((other) => other.leave()));
    await until(async () => (await connections()) === 0);
    const next = await Promise.all(Array.from({ length: ROOM }, sender));
    next.forEach((each) => each.send(ALMOST_ALL));
    next.forEach((each) => each.send(Buffer.from('x')));
    const replies = await Promise.all(next.map(({ reply }) => reply));
    expect(replies.every((reply) => reply.endsWith(`{"length":${BODY_LIMIT}}`))).toBe(true);
  });

  it('are one, in whatever pieces they come', async () => {
    const one = await sender();
    for (let sent = 0; sent < BODY_LIMIT; sent += BODY_LIMIT / 4) one.send(Buffer.alloc(BODY_LIMIT / 4, 'x'));
    expect(await one.reply).toMatch(new RegExp(`\\{"length":${BODY_LIMIT}\\}$`));
  });
});

/** A sender that says it will send the largest body, and then sends it as it likes. */
class Sender {
  /** The whole reply, when its body has come. */
  readonly reply: Promise<string>;

  constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined);
    let received = '';
    this.reply = new Promise((resolve) => {
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text;
        if (received.endsWith('}')) resolve(received);
      });
    });
    socket.write(
      `POST /length HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\nContent-Length: ${BODY_LIMIT}\r\n\r\n`,
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
