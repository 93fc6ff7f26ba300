import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { context, trace } from '@opentelemetry/api';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { Settings } from '../config/settings';
import { VERSION } from '../kernel/version';

const SEND_LIMIT_MS = 3_000;

/**
 * Sends spans to an OpenTelemetry collector over OTLP/HTTP, when the settings name one. Headers and sampling are
 * set by the standard OTEL_ variables, which the library reads itself.
 */
@Injectable()
export class Tracing implements OnApplicationShutdown {
  private readonly logger = new Logger(Tracing.name);
  private provider?: BasicTracerProvider;

  constructor(private readonly settings: Settings) {}

  /** How long sending a batch may take, and so ending the process with a collector that does not answer. */
  protected get sendLimitMs(): number {
    return SEND_LIMIT_MS;
  }

  /** Without a collector nothing is loaded, and spans cost next to nothing. */
  async start(): Promise<void> {
    const { otlpEndpoint, serviceName } = this.settings;
    if (otlpEndpoint === undefined) return;
    const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
    const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
    const { resourceFromAttributes } = await import('@opentelemetry/resources');
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const exporter = new OTLPTraceExporter({
      url: `${otlpEndpoint}/v1/traces`,
      timeoutMillis: this.sendLimitMs,
    });
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION }),
      spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: this.sendLimitMs })],
    });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(this.provider);
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.provider) return;
    await this.provider.shutdown().catch((error: unknown) =>
      this.logger.warn({
        msg: 'tracing: the last spans could not be sent before the end; they are lost',
        err: error,
      }),
    );
    trace.disable();
    context.disable();
  }
}
