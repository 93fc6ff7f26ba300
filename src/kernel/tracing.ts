import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/*
 * Spans from the webhook to each effect. They are named by what kind of thing happens, and their attributes are
 * identifiers and states: never a name, a document, an address or a secret. Unless `ops` has set an exporter up,
 * all of this does next to nothing.
 */

const TRACER = 'ponte';
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /** W3C `traceparent` of the span that caused this one; absent: the one that is active. */
  readonly parent?: string | undefined;
  /** Absent: now. */
  readonly startTime?: Date | undefined;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/** Begins a span that is not active: whoever begins it ends it. */
export function beginSpan(name: string, options: SpanOptions = {}): Span {
  const { kind, attributes, parent, startTime } = options;
  const spanOptions = {
    ...(kind && { kind: KINDS[kind] }),
    ...(attributes && { attributes }),
    ...(startTime && { startTime }),
  };
  return trace.getTracer(TRACER).startSpan(name, spanOptions, contextOf(parent));
}

/** Does the work within a span of its own. What it throws is noted by its kind alone: messages may contain data. */
export async function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, options);
  try {
    return await within(span, () => work(span));
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs what belongs to a span. */
export function within<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** The span ends as one that failed. */
export function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
}

/**
 * W3C `traceparent` of a span.
 * @param span absent: the one that is active
 * @returns undefined when there is none, or nothing is traced
 */
export function traceparentOf(span: Span | undefined = trace.getActiveSpan()): string | undefined {
  const of = span?.spanContext();
  if (!of || !isSpanContextValid(of)) return undefined;
  return `00-${of.traceId}-${of.spanId}-${of.traceFlags.toString(16).padStart(2, '0')}`;
}

/** The active span goes back to another one. @param traceparent nothing happens without one */
export function linkActiveSpan(traceparent: string | null): void {
  const of = traceparent === null ? undefined : spanContextOf(traceparent);
  if (of) trace.getActiveSpan()?.addLink({ context: of });
}

function contextOf(parent: string | undefined) {
  const of = parent === undefined ? undefined : spanContextOf(parent);
  return of ? trace.setSpanContext(ROOT_CONTEXT, of) : context.active();
}

function spanContextOf(traceparent: string) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const of = { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(of) ? of : undefined;
}
