import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** What came back, as far as a load generator looks at it. */
export interface Answer {
  status: number;
  /** The value of `Retry-After`; absent: there was none. */
  retryAfter?: string;
  /** From the first byte sent to the last received. */
  milliseconds: number;
}

const HEAD_END = '\r\n\r\n';
const NO_CONTENT = 204;

/**
 * One keep-alive connection with one request on its way at most. It speaks just enough HTTP/1.1 to tell answers
 * with a `Content-Length` apart: a full client would take more of the shared processors than what is measured.
 */
export class Wire {
  private text = '';
  private started = 0;
  private waiting?: { resolve: (answer: Answer) => void; reject: (error: Error) => void };

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the connection was closed')));
  }

  /** @param url of the service: `http://127.0.0.1:3000` */
  static async open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Wire(socket);
  }

  get busy(): boolean {
    return this.waiting !== undefined;
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  /** @throws Error when the connection ends before the answer is complete: whether it was taken is not known */
  send(request: Buffer): Promise<Answer> {
    if (this.waiting) throw new Error('a request is on its way already');
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (this.closed) {
        this.fail(new Error('the connection was closed'));
        return;
      }
      this.started = performance.now();
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: string): void {
    this.text += chunk;
    const answer = readAnswer(this.text, performance.now() - this.started);
    if (!answer) return;
    this.text = '';
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(answer);
  }

  private fail(error: Error): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(error);
  }
}

/** @returns undefined as long as the answer is not complete */
export function readAnswer(text: string, milliseconds: number): Answer | undefined {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const status = Number(head.slice(9, 12));
  const length = status === NO_CONTENT ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without Content-Length: ${head.slice(0, 200)}`);
  if (text.length < end + HEAD_END.length + length) return undefined;
  const retryAfter = /\r\nretry-after: *([^\r]*)/i.exec(head)?.[1];
  return { status, ...(retryAfter !== undefined && { retryAfter }), milliseconds };
}
