import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it arrived, its attributes by name. */
export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** 2: failed. */
  status: number;
}

interface SentSpan extends Omit<CollectedSpan, 'attributes' | 'status' | 'links' | 'parentSpanId'> {
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}

/** An OpenTelemetry collector that keeps what it is sent over OTLP/HTTP in JSON. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** Everything that was sent, as it came. */
  text = '';
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.take(request.url ?? '', Buffer.concat(chunks).toString());
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const collector = new Collector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  named(name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(url: string, text: string): void {
    if (url !== '/v1/traces') throw new Error(`spans were sent to ${url}`);
    this.text += text;
    const sent = JSON.parse(text) as Sent;
    const spans = sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    for (const span of spans) {
      const attributes = span.attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const);
      this.spans.push({
        ...span,
        parentSpanId: span.parentSpanId ?? '',
        attributes: Object.fromEntries(attributes),
        links: span.links ?? [],
        status: span.status.code ?? 0,
      });
    }
  }
}
