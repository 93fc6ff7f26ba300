import { giveBackStartingMemory } from './memory';
import { Logger } from '@nestjs/common';
import { readConfiguration } from './config/configuration';
import { SealError } from './config/sealing';
import { SettingError, Settings } from './config/settings';
import { openDatabase } from './database/open-database';
import { DatabaseStartError } from './database/start-error';
import { ListenError } from './ops/listen-error';
import { createLogger, PinoLoggerService } from './ops/logging';
import { Shutdown } from './ops/shutdown';
import { startService } from './service';

async function main(): Promise<void> {
  const settings = new Settings(process.env);
  const configuration = readConfiguration(settings.configDir, process.env);
  const log = new PinoLoggerService(createLogger(settings));
  Logger.overrideLogger(log);
  const database = await openDatabase(
    settings,
    (line) => log.warn(line, 'database'),
    (line) => log.log(line, 'database'),
  );
  log.log('the database is up to date; starting the service', 'ponte');
  const service = await startService(settings, configuration, database, log);
  service.app.get(Shutdown).onSignals(service.app, process, graceOf(settings));
  const logger = new Logger('ponte');
  if (settings.financeAuth === 'organization') {
    logger.warn({
      msg: 'FINANCE_AUTH=organization: whoever reaches this address may read and write the books; close it to all but your network, or set another mode',
    });
  }
  if (service.madeOperatorsKey !== undefined) announceKey(service.madeOperatorsKey);
  const { adminUrl } = service;
  if (adminUrl !== undefined) logger.log({ msg: `operators are served on ${adminUrl}`, operators: adminUrl });
  logger.log({ msg: `listening on ${service.url}`, listening: service.url });
  // Whoever waits for that line can connect meanwhile; they are served a quarter of a second later.
  giveBackStartingMemory();
}

/** In milliseconds. Nobody sends requests to a worker: it need not wait until they go elsewhere. */
function graceOf({ role, shutdownGraceSeconds }: Settings): number {
  return role === 'worker' ? 0 : shutdownGraceSeconds * 1000;
}

/** To the terminal and not to the log, which may be kept. */
function announceKey(key: string): void {
  process.stderr.write(`\nThe operators' key, shown this once:\n\n  ${key}\n\n`);
}

/** What whoever starts Ponte can correct is one line; anything else comes with its stack trace. */
function explain(error: unknown): string {
  const expected =
    error instanceof SettingError ||
    error instanceof DatabaseStartError ||
    error instanceof SealError ||
    error instanceof ListenError;
  if (expected) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`Ponte cannot start: ${explain(error)}\n`);
  process.exit(1);
});
