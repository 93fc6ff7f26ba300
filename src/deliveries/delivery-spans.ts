import type { Span } from '@opentelemetry/api';
import { beginSpan, fail, traceparentOf } from '../kernel/tracing';
import type { ClaimedDelivery, Completion } from './delivery-queue.repository';

/** A span for each delivery of a batch, as part of the trace of the request that brought it. */
export class DeliverySpans {
  private readonly spans = new Map<string, Span>();

  begin(claimed: readonly ClaimedDelivery[]): void {
    for (const { id, topic, attempts, traceparent } of claimed) {
      const attributes = { 'ponte.delivery': id, 'ponte.topic': topic, 'ponte.attempts': attempts };
      const parent = traceparent ?? undefined;
      this.spans.set(id, beginSpan('work on delivery', { kind: 'consumer', parent, attributes }));
    }
  }

  /** W3C traceparent of the work on a delivery; undefined: nothing is traced. */
  traceparentOf(id: string): string | undefined {
    const span = this.spans.get(id);
    return span && traceparentOf(span);
  }

  /** What was done is committed. */
  end(completions: readonly Completion[]): void {
    for (const { id, state } of completions) this.spans.get(id)?.setAttribute('ponte.state', state);
    this.endAll();
  }

  /** Nothing of it is kept. */
  fail(error: unknown): void {
    for (const span of this.spans.values()) fail(span, error);
    this.endAll();
  }

  private endAll(): void {
    for (const span of this.spans.values()) span.end();
    this.spans.clear();
  }
}
