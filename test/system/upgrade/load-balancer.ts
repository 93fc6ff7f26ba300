import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '../../../src/sources/registry';
import type { LoadWebhook } from '../load';

/** Milliseconds between two questions to a backend whether it is ready. */
const PROBE_MS = 50;

interface Backend {
  readonly url: string;
  ready: boolean;
  /** Left out: it gets nothing more. */
  leaving: boolean;
  inFlight: number;
  acknowledged: number;
}

/**
 * What stands before two versions while one takes the other's place: asks each backend whether it is ready, sends to
 * those that are, in turn, and tries the next where nobody listens. Any other failure is the backend's.
 */
export class LoadBalancer {
  /** Webhooks that a ready backend did not take, and what became of them. */
  readonly refused: string[] = [];
  private readonly backends: Backend[] = [];
  private readonly probes: Promise<void>[] = [];
  private turn = 0;
  private closed = false;

  constructor(private readonly secret: string) {}

  /** Webhooks that the backend at this address has acknowledged. */
  acknowledgedBy(url: string): number {
    return this.backendAt(url).acknowledged;
  }

  add(url: string): void {
    const backend = { url, ready: false, leaving: false, inFlight: 0, acknowledged: 0 };
    this.backends.push(backend);
    this.probes.push(this.probe(backend));
  }

  /** Sends nothing more to a backend. Resolves when it has answered what it was sent. */
  async remove(url: string): Promise<void> {
    const backend = this.backendAt(url);
    backend.leaving = true;
    while (backend.inFlight > 0) await sleep(5);
  }

  /** Ends the questions to the backends. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.probes);
  }

  /** Sends a webhook until one backend has acknowledged it. */
  async deliver(webhook: LoadWebhook): Promise<void> {
    while (!this.closed) {
      const backend = this.next();
      if (backend && (await this.send(backend, webhook))) return;
      await sleep(backend ? 20 : PROBE_MS);
    }
  }

  private backendAt(url: string): Backend {
    const backend = this.backends.find((each) => each.url === url);
    if (!backend) throw new Error(`there is no backend at ${url}`);
    return backend;
  }

  private next(): Backend | undefined {
    const open = this.backends.filter(({ ready, leaving }) => ready && !leaving);
    this.turn += 1;
    return open[this.turn % open.length];
  }

  private async send(backend: Backend, { topic, id, body }: LoadWebhook): Promise<boolean> {
    backend.inFlight += 1;
    try {
      const headers = signedHeaders('shopify', { topic, body, id, secret: this.secret, sentAt: new Date() });
      const reply = await fetch(`${backend.url}/hooks/main/shopify`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      const text = await reply.text();
      if (reply.status === 200) backend.acknowledged += 1;
      else this.refused.push(`${id}: ${reply.status} ${text}`);
      return reply.status === 200;
    } catch (error) {
      const { cause } = error as { cause?: { code?: string; message?: string } };
      if (cause?.code === 'ECONNREFUSED') backend.ready = false;
      else this.refused.push(`${id}: ${cause?.code ?? cause?.message ?? String(error)}`);
      return false;
    } finally {
      backend.inFlight -= 1;
    }
  }

  private async probe(backend: Backend): Promise<void> {
    while (!this.closed && !backend.leaving) {
      backend.ready = await fetch(`${backend.url}/health/ready`).then(
        async (reply) => {
          await reply.arrayBuffer();
          return reply.status === 200;
        },
        () => false,
      );
      await sleep(PROBE_MS);
    }
    backend.ready = false;
  }
}
