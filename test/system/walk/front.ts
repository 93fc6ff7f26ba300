import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two questions to a replica whether it is ready. */
const PROBE_MS = 50;

interface Replica {
  readonly url: string;
  ready: boolean;
  left: boolean;
}

/**
 * The proxy before Ponte: one address, whatever is behind it. Leads each request to a replica that is ready, in turn; to the
 * next where nobody listens; and answers 503 where none is. A request that a replica has begun to read is not repeated.
 */
export class Front {
  private readonly replicas: Replica[] = [];
  private readonly probes: Promise<void>[] = [];
  private turn = 0;
  private closed = false;
  /** Requests that no replica was there for. */
  refused = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(): Promise<Front> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const front = new Front(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (asked: IncomingMessage, reply: ServerResponse) => void front.lead(asked, reply));
    return front;
  }

  leadTo(url: string): void {
    const replica = { url, ready: false, left: false };
    this.replicas.push(replica);
    this.probes.push(this.probe(replica));
  }

  /** What it is sent already, it may answer. */
  leadNoMoreTo(url: string): void {
    for (const replica of this.replicas) if (replica.url === url) replica.left = true;
  }

  /** How many replicas are ready. */
  get ready(): number {
    return this.readyReplicas().length;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.probes);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private readyReplicas(): Replica[] {
    return this.replicas.filter(({ ready, left }) => ready && !left);
  }

  private async lead(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of asked) parts.push(part as Buffer);
    } catch {
      return; // Who asked has gone.
    }
    this.turn += 1;
    const ready = this.readyReplicas();
    for (let tried = 0; tried < ready.length; tried += 1) {
      const replica = ready[(this.turn + tried) % ready.length];
      if (replica && (await forward(replica, asked, Buffer.concat(parts), reply))) return;
    }
    this.refused += 1;
    reply.writeHead(503, { 'retry-after': '1' }).end();
  }

  private async probe(replica: Replica): Promise<void> {
    while (!this.closed && !replica.left) {
      replica.ready = await fetch(`${replica.url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
        async (reply) => {
          await reply.arrayBuffer();
          return reply.status === 200;
        },
        () => false,
      );
      await sleep(PROBE_MS);
    }
  }
}

/** @returns whether the request was answered, or cut off: false where nobody listens */
function forward(
  replica: Replica,
  asked: IncomingMessage,
  body: Buffer,
  reply: ServerResponse,
): Promise<boolean> {
  const { host, connection: _, ...headers } = asked.headers;
  return new Promise((resolve) => {
    const passed = request(replica.url + (asked.url ?? '/'), {
      method: asked.method ?? 'GET',
      headers: {
        ...headers,
        'x-forwarded-for': asked.socket.remoteAddress ?? '',
        'x-forwarded-host': host ?? '',
        'x-forwarded-proto': 'http',
      },
    });
    passed.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => reply.destroy());
      answer.pipe(reply);
      answer.on('close', () => resolve(true));
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      replica.ready = false;
      if (error.code === 'ECONNREFUSED') return resolve(false);
      reply.destroy();
      resolve(true);
    });
    reply.on('close', () => passed.destroy());
    passed.end(body);
  });
}
