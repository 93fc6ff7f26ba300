import { existsSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { DatabaseAddressError, readDatabaseAddress } from './database-address';
import { type MailServer, MailServerError, readMailServer } from './mail-server';

/** A setting is wrong or missing. The message is one line that names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const MAX_PREVIOUS_KEYS = 5;
/** Characters that a key or token has at least which is set, not made. */
export const SHORTEST_SECRET = 24;

export type Role = 'all' | 'api' | 'worker';
export type LogFormat = 'json' | 'pretty';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The environment, in which a setting that is empty counts as absent. */
class Environment {
  readonly #values: Readonly<Record<string, string | undefined>>;
  readonly #names = new Set<string>();

  constructor(values: Readonly<Record<string, string | undefined>>) {
    this.#values = values;
  }

  /** Names of all settings that there are. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  protected text(name: string): string | undefined {
    this.#names.add(name);
    return this.#values[name]?.trim() || undefined;
  }

  /** @returns undefined where it is absent and has no default */
  protected read<T>(name: string, read: Reader<T>, fallback: string): T;
  protected read<T>(name: string, read: Reader<T>): T | undefined;
  protected read<T>(name: string, read: Reader<T>, fallback?: string): T | undefined {
    const value = this.text(name) ?? fallback;
    return value === undefined ? undefined : read(value, name);
  }
}

/** What the text of a setting means. @throws SettingError that names it */
type Reader<T> = (value: string, name: string) => T;

/** Everything the environment decides, read once at start-up and never again, in this order. */
export class Settings extends Environment {
  /** Address to listen on. */
  readonly host = this.text('HOST') ?? '127.0.0.1';
  /** 0 lets the system choose. */
  readonly port = this.read('PORT', port, '3000');
  /** Where operators' addresses are served apart from the others; absent: on the same port. Port 0: any that is free. */
  readonly adminListener?: { readonly host: string; readonly port: number } = adminListener(
    this,
    this.text('ADMIN_HOST'),
    this.text('ADMIN_PORT'),
  );
  /** Proxies whose `X-Forwarded-*` headers are believed; absent: nobody's are. */
  readonly trustedProxies?: BlockList = this.read('TRUSTED_PROXIES', networks);
  /** What a scraper sends as bearer to read metrics; absent: see `MetricsAccess`. */
  readonly metricsToken = this.read('METRICS_TOKEN', longText);
  /** Seconds between SIGTERM, when the process says it is not ready, and the closing of its ports. */
  readonly shutdownGraceSeconds = this.read('SHUTDOWN_GRACE_SECONDS', graceSeconds, '5');
  /** PostgreSQL connection string, see `readDatabaseAddress`; absent: embedded, in `dataDir`. */
  readonly databaseUrl = this.read('DATABASE_URL', databaseUrl);
  /** How clients address Ponte, without a slash at the end; absent: as each request does. */
  readonly publicUrl?: string = this.read('PUBLIC_URL', httpAddress);
  /** Absolute path of the embedded database and of what Ponte makes for itself. */
  readonly dataDir = this.read('DATA_DIR', (path) => resolve(path), './data');
  /** Absolute path of sources, rules, tables and organizations as YAML. */
  readonly configDir = this.read('CONFIG_DIR', (path) => resolve(path), defaultConfigDir());
  /** The operators' key as set; absent: made at first start. */
  readonly adminApiKey?: string = this.read('ADMIN_API_KEY', longText);
  /** 32 bytes as set; absent: made in `dataDir`. */
  readonly secretsKey = secretsKey(this.text('SECRETS_KEY'), this.databaseUrl !== undefined);
  /** Keys of 32 bytes that secrets may still be stored with; they are stored anew with the current one. */
  readonly secretsKeysPrevious = this.read('SECRETS_KEY_PREVIOUS', previousKeys, '');
  readonly financeBackend = this.read('FINANCE_BACKEND', oneOf('embedded', 'remote'), 'embedded');
  readonly financeBaseUrl = financeBaseUrl(this.text('FINANCE_BASE_URL'), this.financeBackend);
  /** Networks that are not public and that a stored address of a finance service may lead to all the same. */
  readonly financeAllowedNetworks = this.read('FINANCE_ALLOWED_NETWORKS', networks, '');
  /** Networks that are not public and that notifications may be sent into all the same. */
  readonly notificationAllowedNetworks = this.read('NOTIFICATION_ALLOWED_NETWORKS', networks, '');
  /** Where e-mails are handed over; absent: none are sent. */
  readonly mailServer?: MailServer = orRefused(() =>
    readMailServer(this.text('SMTP_URL'), this.text('SMTP_FROM')),
  );
  /** Networks that are not public and that providers' APIs may be in all the same. */
  readonly providerAllowedNetworks = this.read('PROVIDER_ALLOWED_NETWORKS', networks, '');
  readonly financeAuth = this.read('FINANCE_AUTH', oneOf('key', 'organization'), 'key');
  /** Where the finance interface is served beside `/v1`, such as `/empresas/v1`; absent: nowhere. */
  readonly financePathPrefix?: string = this.read('FINANCE_PATH_PREFIX', pathPrefix);
  /** Origins, as browsers write them, of the pages that may call the finance interface. */
  readonly financeCorsOrigins = this.read('FINANCE_CORS_ORIGINS', origins, '');
  /** Seconds between two polls of a listing of the finance system; 0: it is not polled. */
  readonly watchEverySeconds = this.read('WATCH_EVERY', wholeNumber(0), '300');
  /** Seconds between two comparisons of a source with the list of its provider; 0: none is compared. */
  readonly compareEverySeconds = this.read('COMPARE_EVERY', wholeNumber(0), '3600');
  /** Hours for which a delivery may wait for a record before it counts as one that waits for a person. */
  readonly recordWaitHours = this.read('RECORD_WAIT_HOURS', wholeNumber(0), '24');
  /** Requests a minute that one API key may send to the keyed APIs; 0: as many as it likes. */
  readonly financeRateLimit = this.read('FINANCE_RATE_LIMIT', wholeNumber(0), '6000');
  /** Requests a minute that one operators' key may send to the operators' API; 0: as many as it likes. */
  readonly adminRateLimit = this.read('ADMIN_RATE_LIMIT', wholeNumber(0), '1200');
  /** Requests of the APIs that are worked on at once, at most. */
  readonly maxRequestsInFlight = this.read('MAX_REQUESTS_IN_FLIGHT', wholeNumber(1), '256');
  /** Where spans are sent, without a slash at the end; absent: nowhere. */
  readonly otlpEndpoint = this.read('OTEL_EXPORTER_OTLP_ENDPOINT', httpAddress);
  /** What this service is called in traces. */
  readonly serviceName = this.text('OTEL_SERVICE_NAME') ?? 'ponte';
  readonly role: Role = role(this.text('ROLE'), this.databaseUrl !== undefined);
  readonly logFormat: LogFormat = this.read(
    'LOG_FORMAT',
    oneOf('json', 'pretty'),
    process.stdout.isTTY ? 'pretty' : 'json',
  );
  readonly logLevel: string = this.read('LOG_LEVEL', oneOf(...LOG_LEVELS), 'info');

  /** The embedded database keeps everything in one process. */
  get embeddedDatabase(): boolean {
    return this.databaseUrl === undefined;
  }
}

/** `./config`; where there is none, as beside a package that was installed, the one that comes with Ponte. */
function defaultConfigDir(): string {
  const own = './config';
  if (existsSync(own)) return own;
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'config', 'organizations.yaml');
    if (existsSync(candidate)) return dirname(candidate);
  }
  return own;
}

function oneOf<T extends string>(...allowed: readonly T[]): Reader<T> {
  return (value, name) =>
    allowed.find((candidate) => candidate === value) ??
    refuse(`${name} must be one of ${allowed.join(', ')}`);
}

/** Sharing the work takes several processes, and the embedded database serves one. */
function role(value: string | undefined, shared: boolean): Role {
  const chosen = oneOf<Role>('all', 'api', 'worker')(value ?? 'all', 'ROLE');
  if (chosen !== 'all' && !shared)
    throw new SettingError(
      `ROLE can be ${chosen} only with DATABASE_URL: the embedded database serves one process`,
    );
  return chosen;
}

function wholeNumber(least: number): Reader<number> {
  return (value, name) => {
    if (!/^\d{1,7}$/.test(value) || Number(value) < least)
      throw new SettingError(`${name} must be a whole number from ${least} to 9999999`);
    return Number(value);
  };
}

function port(value: string, name: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65535)
    throw new SettingError(`${name} must be a number from 0 to 65535`);
  return Number(value);
}

function adminListener(
  { host, port: publicPort }: { host: string; port: number },
  adminHost: string | undefined,
  adminPort: string | undefined,
): { host: string; port: number } | undefined {
  if (adminPort === undefined) {
    if (adminHost !== undefined) throw new SettingError('ADMIN_HOST is of use only with ADMIN_PORT');
    return undefined;
  }
  const chosen = port(adminPort, 'ADMIN_PORT');
  if (chosen !== 0 && chosen === publicPort) throw new SettingError('ADMIN_PORT must differ from PORT');
  return { host: adminHost ?? host, port: chosen };
}

/** Past the longest that an orchestrator usually waits before it kills. */
const MOST_GRACE_SECONDS = 600;

function graceSeconds(value: string, name: string): number {
  const seconds = wholeNumber(0)(value, name);
  if (seconds > MOST_GRACE_SECONDS) throw new SettingError(`${name} must be at most ${MOST_GRACE_SECONDS}`);
  return seconds;
}

function databaseUrl(value: string): string {
  orRefused(() => readDatabaseAddress(value));
  return value;
}

/** What is read elsewhere, refused as settings are. */
function orRefused<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DatabaseAddressError || error instanceof MailServerError) refuse(error.message);
    throw error;
  }
}

function httpAddress(value: string, name: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const fits =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  if (!fits) throw new SettingError(`${name} must be an https or http address without query or user`);
  return value.replace(/\/+$/, '');
}

/** What opens something, and so must not be guessed. */
function longText(value: string, name: string): string {
  if (value.length < SHORTEST_SECRET)
    throw new SettingError(`${name} must have at least ${SHORTEST_SECRET} characters`);
  return value;
}

function secretsKey(value: string | undefined, needed: boolean): Buffer | undefined {
  if (value === undefined) {
    if (needed)
      throw new SettingError(
        'SECRETS_KEY is needed with DATABASE_URL: 32 random bytes in base64, for example from `openssl rand -base64 32`',
      );
    return undefined;
  }
  return keyFrom(value) ?? refuse('SECRETS_KEY must be 32 bytes in base64');
}

/** Separated by commas, which base64 does not have. */
function previousKeys(value: string): readonly Buffer[] {
  const keys = value.split(',').flatMap((text) => text.trim() || []);
  if (keys.length > MAX_PREVIOUS_KEYS)
    throw new SettingError(`SECRETS_KEY_PREVIOUS must hold at most ${MAX_PREVIOUS_KEYS} keys`);
  const problem = 'SECRETS_KEY_PREVIOUS must be 32 bytes in base64, or several such keys separated by commas';
  return keys.map((text) => keyFrom(text) ?? refuse(problem));
}

function keyFrom(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === 32 ? key : undefined;
}

function refuse(problem: string): never {
  throw new SettingError(problem);
}

function financeBaseUrl(value: string | undefined, backend: 'embedded' | 'remote'): string | undefined {
  if (backend === 'embedded') return undefined;
  if (value === undefined) throw new SettingError('FINANCE_BASE_URL is needed with FINANCE_BACKEND=remote');
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const loopback = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && loopback)) {
    throw new SettingError('FINANCE_BASE_URL must be an https address (http only on loopback)');
  }
  return value.replace(/\/+$/, '');
}

/** What else is served, which a prefix must not hide. */
const SERVED = ['v1', 'hooks', 'feed', 'admin', 'health', 'metrics', 'docs', 'openapi.json'];

function pathPrefix(value: string, name: string): string {
  const [empty, first = '', ...rest] = value.replace(/\/$/, '').split('/');
  const fits = [first, ...rest].every((part) => /^[\w~-][\w.~-]*$/.test(part));
  if (empty !== '' || !fits) throw new SettingError(`${name} must be a path such as /empresas/v1`);
  if (SERVED.includes(first.toLowerCase()) || first.toLowerCase().startsWith('docs-'))
    throw new SettingError(`${name} must not begin with /${first}, where something else is served`);
  return `/${[first, ...rest].join('/')}`;
}

/** Separated by commas. Exact: neither patterns nor `null`, which is the origin of pages that have none. */
function origins(value: string, name: string): ReadonlySet<string> {
  const list = value.split(',').flatMap((text) => text.trim() || []);
  for (const origin of list) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url?.origin !== origin || origin.includes('*') || !['http:', 'https:'].includes(url.protocol))
      throw new SettingError(
        `${name} must be origins such as https://app.example.com, without a path, separated by commas`,
      );
  }
  return new Set(list);
}

/** Networks in CIDR notation, or single addresses, separated by commas. */
function networks(value: string, name: string): BlockList {
  const list = new BlockList();
  for (const network of value.split(',').map((one) => one.trim())) {
    if (network === '') continue;
    const [address = '', bits, ...rest] = network.split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const size = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
    if (version === 0 || address.includes('%') || rest.length > 0 || !(size <= most))
      throw new SettingError(`${name} must be networks such as 10.0.0.0/8 or fd00::/8, separated by commas`);
    list.addSubnet(address, size, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
