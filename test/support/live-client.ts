import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { until } from './until';

/** A server-sent event. */
export interface LiveEvent {
  event: string;
  data: Record<string, unknown>;
}

/** Somebody who listens to server-sent events, and remembers all of them. */
export class LiveClient {
  readonly events: LiveEvent[] = [];
  /** Lines that say nothing. */
  comments = 0;
  ended = false;
  private text = '';

  private constructor(
    private readonly asked: ClientRequest,
    private readonly reply: IncomingMessage,
  ) {
    reply.setEncoding('utf8');
    reply.on('data', (chunk: string) => this.read(chunk));
    reply.on('close', () => (this.ended = true));
    reply.on('error', () => undefined);
  }

  /** Asks, and resolves when the head of the reply is there. */
  static open(
    url: string,
    key: string,
    accept = 'text/event-stream',
    credential: Record<string, string> = { authorization: `Bearer ${key}` },
  ): Promise<LiveClient> {
    return new Promise((resolve, reject) => {
      const headers = { ...credential, accept };
      const asked = request(url, { headers, agent: false }, (reply) => resolve(new LiveClient(asked, reply)));
      asked.on('error', reject);
      asked.end();
    });
  }

  get status(): number {
    return this.reply.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.reply.headers;
  }

  /** All that came of a name. */
  of(event: string): Record<string, unknown>[] {
    return this.events.filter((each) => each.event === event).map(({ data }) => data);
  }

  /** Waits until one came with these members. */
  async saw(event: string, members: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const fits = (data: Record<string, unknown>) =>
      Object.entries(members).every(([name, value]) => data[name] === value);
    await until(() => this.of(event).some(fits));
    return this.of(event).find(fits)!;
  }

  close(): void {
    this.asked.destroy();
  }

  private read(chunk: string): void {
    this.text += chunk;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      if (lines.includes(':')) this.comments += 1;
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7);
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
      if (event !== undefined && data !== undefined)
        this.events.push({ event, data: JSON.parse(data) as Record<string, unknown> });
    }
  }
}
