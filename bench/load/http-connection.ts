import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** What a request came to. */
export interface Reply {
  /** 0: the connection ended before the answer. */
  status: number;
  /** Status line and headers as they came, in Latin-1. */
  head: string;
  body: Buffer;
}

/** A reply with the milliseconds from the first byte sent to the last received. */
export interface TimedReply extends Reply {
  milliseconds: number;
}

const NO_CONTENT = 204;
const HEAD_END = '\r\n\r\n';
const NONE: Buffer = Buffer.alloc(0);

/**
 * One keep-alive connection that writes requests made beforehand, one at a time. Node's own client costs several
 * times as much processor as this one; the generator shares the machine with what it measures.
 */
export class HttpConnection {
  private socket: Socket | undefined;
  private received: Buffer = NONE;
  private answered: ((reply: Reply) => void) | undefined;
  private readonly host: string;
  private readonly port: number;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.host = hostname;
    this.port = Number(port);
  }

  /** Connects when it is not connected. @param answered called once, also when the connection breaks */
  exchange(request: Buffer, answered: (reply: Reply) => void): void {
    this.answered = answered;
    this.socket ??= this.open();
    this.socket.write(request);
  }

  /** Connects ahead of the first request, whose time then is none of the connecting. */
  async connected(): Promise<void> {
    this.socket ??= this.open();
    if (this.socket.connecting) await once(this.socket, 'connect');
  }

  /** As {@link exchange}. */
  ask(request: Buffer): Promise<TimedReply> {
    const sent = performance.now();
    return new Promise((resolve) =>
      this.exchange(request, (reply) => resolve({ ...reply, milliseconds: performance.now() - sent })),
    );
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  private open(): Socket {
    const socket = connect({ host: this.host, port: this.port, noDelay: true });
    socket.on('data', (data) => this.read(data));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
      this.finish({ status: 0, head: '', body: NONE });
    });
    return socket;
  }

  private read(data: Buffer): void {
    this.received = this.received.length === 0 ? data : Buffer.concat([this.received, data]);
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.received.toString('latin1', 0, headEnd);
    const status = Number(head.slice(9, 12));
    const bodyFrom = headEnd + HEAD_END.length;
    const bodyTo = bodyFrom + (status === NO_CONTENT ? 0 : lengthOf(head));
    if (this.received.length < bodyTo) return;
    if (/^connection: close/im.test(head)) this.close();
    this.finish({ status, head, body: this.received.subarray(bodyFrom, bodyTo) });
  }

  private finish(reply: Reply): void {
    const { answered } = this;
    this.answered = undefined;
    this.received = NONE;
    answered?.(reply);
  }
}

/** The value of `Retry-After`; undefined: there is none. */
export function retryAfterOf({ head }: Reply): string | undefined {
  return /^retry-after: *([^\r\n]*)/im.exec(head)?.[1];
}

function lengthOf(head: string): number {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${head}`);
  return Number(length);
}
