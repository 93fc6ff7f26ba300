import type { Span } from '@opentelemetry/api';
import { beginSpan, fail, type SpanOptions, traceparentOf } from '../kernel/tracing';
import type { ClaimedDelivery, Completion } from './delivery-queue.repository';

/** What work on a delivery is called in traces. */
export const WORK = 'work on delivery';

/** The span of the work on a delivery: part of the trace of the request that brought it. */
export function workSpan({ id, topic, attempts, traceparent }: ClaimedDelivery): SpanOptions {
  return {
    kind: 'consumer',
    parent: traceparent ?? undefined,
    attributes: { 'ponte.delivery': id, 'ponte.topic': topic, 'ponte.attempts': attempts },
  };
}

/** A span for each delivery of a batch, as part of the trace of the request that brought it. */
export class DeliverySpans {
  private readonly spans = new Map<string, Span>();

  begin(claimed: readonly ClaimedDelivery[]): void {
    for (const delivery of claimed) this.spans.set(delivery.id, beginSpan(WORK, workSpan(delivery)));
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
