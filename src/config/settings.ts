import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

/** A setting is wrong or missing. The message is one line that names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const MAX_PREVIOUS_KEYS = 5;
/** Characters that a key or token has at least which is set, not made. */
export const SHORTEST_SECRET = 24;

export type Role = 'all' | 'api' | 'worker';
export type LogFormat = 'json' | 'pretty';

/** Everything the environment decides, read once at start-up and never again. */
export class Settings {
  /** Address to listen on. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** PostgreSQL connection string; absent: embedded, in `dataDir`. */
  readonly databaseUrl?: string;
  /** Where operators' addresses are served apart from the others; absent: on the same port. Port 0: any that is free. */
  readonly adminListener?: { readonly host: string; readonly port: number };
  /** Proxies whose `X-Forwarded-*` headers are believed; absent: nobody's are. */
  readonly trustedProxies?: BlockList;
  /** What a scraper sends as bearer to read metrics; absent: see `MetricsAccess`. */
  readonly metricsToken?: string;
  /** Seconds between SIGTERM, when the process says it is not ready, and the closing of its ports. */
  readonly shutdownGraceSeconds: number;
  /** How clients address Ponte, without a slash at the end; absent: as each request does. */
  readonly publicUrl?: string;
  /** Absolute path of the embedded database and of what Ponte makes for itself. */
  readonly dataDir: string;
  /** Absolute path of sources, rules, tables and organizations as YAML. */
  readonly configDir: string;
  /** The operators' key as set; absent: made at first start. */
  readonly adminApiKey?: string;
  /** 32 bytes as set; absent: made in `dataDir`. */
  readonly secretsKey?: Buffer;
  /** Keys of 32 bytes that secrets may still be stored with; they are stored anew with the current one. */
  readonly secretsKeysPrevious: readonly Buffer[];
  readonly financeBackend: 'embedded' | 'remote';
  readonly financeBaseUrl?: string;
  /** Networks that are not public and that a stored address of a finance service may lead to all the same. */
  readonly financeAllowedNetworks: BlockList;
  readonly financeAuth: 'key' | 'organization';
  /** Where the finance interface is served beside `/v1`, such as `/empresas/v1`; absent: nowhere. */
  readonly financePathPrefix?: string;
  /** Origins, as browsers write them, of the pages that may call the finance interface. */
  readonly financeCorsOrigins: ReadonlySet<string>;
  /** Seconds between two looks at a listing of the finance system; 0: it is not looked at. */
  readonly watchEverySeconds: number;
  /** Requests a minute that one API key may send to the keyed APIs; 0: as many as it likes. */
  readonly financeRateLimit: number;
  /** Requests a minute that one operators' key may send to the operators' API; 0: as many as it likes. */
  readonly adminRateLimit: number;
  /** Requests of the APIs that are worked on at once, at most. */
  readonly maxRequestsInFlight: number;
  /** Where spans are sent, without a slash at the end; absent: nowhere. */
  readonly otlpEndpoint?: string;
  /** What this service is called in traces. */
  readonly serviceName: string;
  readonly role: Role;
  readonly logFormat: LogFormat;
  readonly logLevel: string;

  /** @throws SettingError naming the first setting that is wrong */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    const text = (name: string): string | undefined => env[name]?.trim() || undefined;
    this.host = text('HOST') ?? '127.0.0.1';
    this.port = port('PORT', text('PORT') ?? '3000');
    this.adminListener = adminListener(this, text('ADMIN_HOST'), text('ADMIN_PORT'));
    this.trustedProxies = trustedProxies(text('TRUSTED_PROXIES'));
    this.metricsToken = longText('METRICS_TOKEN', text('METRICS_TOKEN'));
    this.shutdownGraceSeconds = shutdownGrace(text('SHUTDOWN_GRACE_SECONDS') ?? '5');
    this.databaseUrl = databaseUrl(text('DATABASE_URL'));
    this.publicUrl = httpAddress('PUBLIC_URL', text('PUBLIC_URL'));
    this.dataDir = resolve(text('DATA_DIR') ?? './data');
    this.configDir = resolve(text('CONFIG_DIR') ?? './config');
    this.adminApiKey = longText('ADMIN_API_KEY', text('ADMIN_API_KEY'));
    this.secretsKey = secretsKey(text('SECRETS_KEY'), this.databaseUrl !== undefined);
    this.secretsKeysPrevious = previousKeys(text('SECRETS_KEY_PREVIOUS'));
    this.financeBackend = oneOf('FINANCE_BACKEND', text('FINANCE_BACKEND') ?? 'embedded', [
      'embedded',
      'remote',
    ]);
    this.financeBaseUrl = financeBaseUrl(text('FINANCE_BASE_URL'), this.financeBackend);
    this.financeAllowedNetworks = networks(
      'FINANCE_ALLOWED_NETWORKS',
      text('FINANCE_ALLOWED_NETWORKS') ?? '',
    );
    this.financeAuth = oneOf('FINANCE_AUTH', text('FINANCE_AUTH') ?? 'key', ['key', 'organization']);
    this.financePathPrefix = pathPrefix('FINANCE_PATH_PREFIX', text('FINANCE_PATH_PREFIX'));
    this.financeCorsOrigins = origins('FINANCE_CORS_ORIGINS', text('FINANCE_CORS_ORIGINS') ?? '');
    this.watchEverySeconds = wholeNumber('WATCH_EVERY', text('WATCH_EVERY') ?? '300', 0);
    this.financeRateLimit = wholeNumber('FINANCE_RATE_LIMIT', text('FINANCE_RATE_LIMIT') ?? '6000', 0);
    this.adminRateLimit = wholeNumber('ADMIN_RATE_LIMIT', text('ADMIN_RATE_LIMIT') ?? '1200', 0);
    this.maxRequestsInFlight = wholeNumber(
      'MAX_REQUESTS_IN_FLIGHT',
      text('MAX_REQUESTS_IN_FLIGHT') ?? '256',
      1,
    );
    this.otlpEndpoint = httpAddress('OTEL_EXPORTER_OTLP_ENDPOINT', text('OTEL_EXPORTER_OTLP_ENDPOINT'));
    this.serviceName = text('OTEL_SERVICE_NAME') ?? 'ponte';
    this.role = role(text('ROLE'), this.databaseUrl !== undefined);
    this.logFormat = oneOf('LOG_FORMAT', text('LOG_FORMAT') ?? (process.stdout.isTTY ? 'pretty' : 'json'), [
      'json',
      'pretty',
    ]);
    this.logLevel = oneOf('LOG_LEVEL', text('LOG_LEVEL') ?? 'info', [
      'fatal',
      'error',
      'warn',
      'info',
      'debug',
      'trace',
      'silent',
    ]);
  }

  /** The embedded database keeps everything in one process. */
  get embeddedDatabase(): boolean {
    return this.databaseUrl === undefined;
  }
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (!found) throw new SettingError(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

/** Sharing the work takes several processes, and the embedded database serves one. */
function role(value: string | undefined, shared: boolean): Role {
  const chosen = oneOf<Role>('ROLE', value ?? 'all', ['all', 'api', 'worker']);
  if (chosen !== 'all' && !shared)
    throw new SettingError(
      `ROLE can be ${chosen} only with DATABASE_URL: the embedded database serves one process`,
    );
  return chosen;
}

function wholeNumber(name: string, value: string, least: number): number {
  if (!/^\d{1,7}$/.test(value) || Number(value) < least)
    throw new SettingError(`${name} must be a whole number from ${least} to 9999999`);
  return Number(value);
}

function port(name: string, value: string): number {
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
  const chosen = port('ADMIN_PORT', adminPort);
  if (chosen !== 0 && chosen === publicPort) throw new SettingError('ADMIN_PORT must differ from PORT');
  return { host: adminHost ?? host, port: chosen };
}

/** Past the longest that an orchestrator usually waits before it kills. */
const MOST_GRACE_SECONDS = 600;

function shutdownGrace(value: string): number {
  const seconds = wholeNumber('SHUTDOWN_GRACE_SECONDS', value, 0);
  if (seconds > MOST_GRACE_SECONDS)
    throw new SettingError(`SHUTDOWN_GRACE_SECONDS must be at most ${MOST_GRACE_SECONDS}`);
  return seconds;
}

function trustedProxies(value: string | undefined): BlockList | undefined {
  return value === undefined ? undefined : networks('TRUSTED_PROXIES', value);
}

function databaseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!/^postgres(ql)?:\/\/\S+$/.test(value))
    throw new SettingError('DATABASE_URL must start with postgresql:// or postgres://');
  return value;
}

function httpAddress(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const fits =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  if (!fits) throw new SettingError(`${name} must be an https or http address without query or user`);
  return value.replace(/\/+$/, '');
}

/** What opens something, and so must not be guessed. */
function longText(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && value.length < SHORTEST_SECRET)
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
function previousKeys(value = ''): Buffer[] {
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

function pathPrefix(name: string, value: string | undefined): string | undefined {
  const [empty, first = '', ...rest] = (value ?? '').replace(/\/$/, '').split('/');
  if (value === undefined) return undefined;
  const fits = [first, ...rest].every((part) => /^[\w~-][\w.~-]*$/.test(part));
  if (empty !== '' || !fits) throw new SettingError(`${name} must be a path such as /empresas/v1`);
  if (SERVED.includes(first.toLowerCase()) || first.toLowerCase().startsWith('docs-'))
    throw new SettingError(`${name} must not begin with /${first}, where something else is served`);
  return `/${[first, ...rest].join('/')}`;
}

/** Separated by commas. Exact: neither patterns nor `null`, which is the origin of pages that have none. */
function origins(name: string, value: string): ReadonlySet<string> {
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
function networks(name: string, value: string): BlockList {
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
