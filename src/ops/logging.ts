import { createRequire } from 'node:module';
import type { LoggerService } from '@nestjs/common';
import type * as pinoPretty from 'pino-pretty';
import { pino, type DestinationStream, type Level, type Logger } from 'pino';
import type { Settings } from '../config/settings';
import { BoundedMap } from '../kernel/bounded-map';
import { isError, safeError, withoutCredentials } from './safe-error';

const load = createRequire(__filename);
const REMOVED = '[removed]';
/** Names of what never belongs in a log, whoever logs it; compared without case, `-` and `_`. */
const SECRET_NAME =
  /^(authorization|proxyauthorization|cookie|setcookie|apitoken|apikey|password|secrets?|token|query|url|body|rawbody|headers|.*signature|.*hmac.*)$/;
/** How readable lines name the context. */
const MESSAGE = '{if context}[{context}] {end}{msg}';
const MAX_DEPTH = 4;
/** Nest logs every module and route at start: of use to whoever searches for a fault, and noise to everybody else. */
const FRAMEWORK: ReadonlySet<string> = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/**
 * The process's log: JSON lines, or readable ones.
 * @param destination where lines go; standard output when absent
 */
export function createLogger(
  { logFormat, logLevel }: Pick<Settings, 'logFormat' | 'logLevel'>,
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: safeError },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => withoutSecrets(fields, 0) as Record<string, unknown>,
    },
  };
  if (logFormat === 'json') return pino(options, destination);
  // Line by line and at once: a stream in between could lose the last lines when the process exits.
  const { prettyFactory } = load('pino-pretty') as typeof pinoPretty;
  const readable = prettyFactory({
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'context',
    messageFormat: MESSAGE,
  });
  return pino(options, { write: (line: string) => destination.write(readable(line)) });
}

/** Nest's log lines, and those of everything that uses Nest's `Logger`, on the process's log. */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    const byFramework = FRAMEWORK.has(String(rest.at(-1)));
    this.write(byFramework ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest puts the context, the logger's name, last. */
  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? { context: rest.at(-1) } : {};
    const fields = isError(message) ? { msg: 'unexpected failure', err: message } : message;
    if (typeof fields === 'object' && fields !== null) this.logger[level]({ ...context, ...fields });
    else this.logger[level](context, withoutCredentials(String(fields)));
  }
}

/** Names seen so far; there are few, and every request logs the same ones. */
const checked = new BoundedMap<string, boolean>(1_000);

function isSecretName(name: string): boolean {
  const known = checked.get(name);
  if (known !== undefined) return known;
  const secret = SECRET_NAME.test(name.toLowerCase().replace(/[-_]/g, ''));
  checked.set(name, secret);
  return secret;
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutCredentials(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isError(value)) return safeError(value);
  if (depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return REMOVED;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  // A plain loop, since this runs on every request: entries and back cost it several times over.
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (name === '__proto__') continue;
    const field = (value as Record<string, unknown>)[name];
    if (isError(field)) kept[name] = depth === 0 && name === 'err' ? field : safeError(field);
    else kept[name] = isSecretName(name) ? REMOVED : withoutSecrets(field, depth + 1);
  }
  return kept;
}
