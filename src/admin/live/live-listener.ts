import { Readable } from 'node:stream';
import type { VerifiedKey } from '../../organizations/api-keys';

/** Bytes that may wait for somebody to read them. */
const MOST_UNREAD = 256 * 1024;
/** How long a client that was cut off waits before it comes again, in milliseconds. */
const RETRY_MS = 3_000;

/** Somebody who listens to server-sent events. */
export class LiveListener {
  /** What they are sent. */
  readonly stream = new Readable({ read: () => undefined });
  /** When something was last sent, on the monotonic clock, in milliseconds. */
  sentAt: number;
  /** When their key was last found to be right. */
  checkedAt: number;
  private ended = false;

  /**
   * @param keyNow the API key that they came with, if it is still right
   * @param since when they came, on the monotonic clock, in milliseconds
   */
  constructor(
    readonly keyNow: () => Promise<VerifiedKey | undefined>,
    readonly since: number,
  ) {
    [this.sentAt, this.checkedAt] = [since, since];
    this.stream.on('error', () => undefined);
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  send(event: string, data: object): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** A line that says nothing: proxies close connections over which nothing comes. */
  comment(): void {
    this.write(':\n\n');
  }

  /** Nothing more is sent; what was sent is still read. */
  end(): void {
    if (this.ended || this.stream.destroyed) return;
    this.ended = true;
    this.stream.push(null);
  }

  /** Whoever takes nothing for so long is cut off: they connect again, and get the state of then. */
  private write(text: string): void {
    if (this.ended || this.stream.destroyed) return;
    if (this.stream.readableLength + text.length > MOST_UNREAD) {
      this.stream.destroy();
      return;
    }
    this.stream.push(text);
    this.sentAt = performance.now();
  }
}
