import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Provisioning } from './admin/provisioning';
import { SecretReencryption } from './admin/secret-reencryption';
import { AppModule } from './app.module';
import type { Configuration } from './config/configuration';
import type { Settings } from './config/settings';
import type { Database } from './database/database';
import { Worker } from './deliveries/worker';
import { ConnectionsRepository } from './finance/remote/connections/connections.repository';
import { createApp } from './http/create-app';
import { ListenerPool } from './ops/listener-pool';
import { serveOpenApi } from './ops/openapi';
import { serveProbesOnly } from './ops/probes-only';
import { Shutdown } from './ops/shutdown';
import { Tracing } from './ops/tracing';
import { OperatorKey } from './organizations/operator-key';
import { VERSION } from './kernel/version';
import { SourceProviders } from './sources/source-providers';

/** The service, listening. */
export interface Service {
  app: NestFastifyApplication;
  /** Where it listens: `http://127.0.0.1:3000`. */
  url: string;
  /** Where operators' addresses are served, when apart. */
  adminUrl?: string;
  /** The operators' key, when it was made just now: to be shown once. */
  madeOperatorsKey?: string;
  /** Ends it as SIGTERM would; the database is closed with it. @returns false when something could not be closed */
  stop(): Promise<boolean>;
}

/**
 * Brings the whole service up on an open database: provisioned from the configuration, then working, then
 * listening. A failure closes what was opened.
 * @param sources providers of webhooks: those of the registry unless others are given
 * @throws SettingError with one line when the configuration is wrong; SealError when secrets were stored with a key
 *   that is not at hand
 */
export async function startService(
  settings: Settings,
  configuration: Configuration,
  database: Database,
  logger: LoggerService | false = false,
  sources = new SourceProviders(),
): Promise<Service> {
  const module = AppModule.with(settings, configuration, database, sources);
  const app = await createApp(module, { logger, settings });
  try {
    if (settings.role === 'worker') serveProbesOnly(app);
    else serveOpenApi(app, VERSION);
    await app.get(Tracing).start();
    await app.init();
    await app.get(SecretReencryption).start();
    await app.get(ConnectionsRepository).keepKeyAddresses();
    const operatorKey = app.get(OperatorKey);
    if (settings.adminApiKey !== undefined) await operatorKey.ensureOperatorKey(settings);
    await app.get(Provisioning).apply();
    const worker = app.get(Worker);
    if (settings.role !== 'api') worker.start();
    app.get(Shutdown).beforeDraining(() => worker.stopClaiming());
    await app.get(ListenerPool).open(app, settings, settings.adminListener);
    // Last: of a start that fails nobody gets to see the key, and the next one makes none beside it.
    const madeOperatorsKey =
      settings.adminApiKey === undefined ? await operatorKey.ensureOperatorKey(settings) : undefined;
    const adminUrl = app.get(ListenerPool).operatorsUrl;
    return {
      app,
      url: await app.getUrl(),
      ...(adminUrl === undefined ? {} : { adminUrl }),
      ...(madeOperatorsKey === undefined ? {} : { madeOperatorsKey }),
      stop: () => app.get(Shutdown).run(app),
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}
