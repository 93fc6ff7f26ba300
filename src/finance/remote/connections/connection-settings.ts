import {
  CONNECTION_DEFAULTS,
  type ConnectionLimits,
  type ConnectionTimeouts,
  type FinanceConnection,
} from '../client/connection';
import { isObject } from '../../../kernel/json-object';

/** What is stored of a connection, beside its key. Whatever is absent is as {@link CONNECTION_DEFAULTS} says. */
export interface StoredConnection extends Partial<
  Omit<
    FinanceConnection,
    'organizationId' | 'apiKey' | 'trustedAddress' | 'recoveredAt' | 'limits' | 'timeouts'
  >
> {
  /** Absent: the address of `FINANCE_BASE_URL`. */
  readonly baseUrl?: string;
  readonly limits?: Partial<ConnectionLimits>;
  readonly timeouts?: Partial<ConnectionTimeouts>;
}

type Reading = (value: unknown) => boolean;

const text: Reading = (value) => typeof value === 'string' && value !== '';
const flag: Reading = (value) => typeof value === 'boolean';
const oneOf =
  (...allowed: string[]): Reading =>
  (value) =>
    typeof value === 'string' && allowed.includes(value);
const whole =
  (least: number, most = Infinity): Reading =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

/** Milliseconds that a reply of a finance service may be given to others, at most. */
export const LONGEST_CACHE_MS = 60_000;

const LIMITS: Readonly<Record<keyof ConnectionLimits, Reading>> = {
  perSecond: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  atOnce: whole(1),
  oneWriteAtATime: flag,
};

const TIMEOUTS: Readonly<Record<keyof ConnectionTimeouts, Reading>> = {
  connectMs: whole(1),
  headersMs: whole(1),
  totalMs: whole(1),
};

const MEMBERS: Readonly<Record<keyof StoredConnection, Reading>> = {
  baseUrl: text,
  organization: text,
  credential: oneOf('apitoken', 'ApiToken', 'bearer'),
  form: oneOf('json', 'xml'),
  limits: (value) => fits(value, LIMITS),
  cacheMs: whole(0, LONGEST_CACHE_MS),
  timeouts: (value) => fits(value, TIMEOUTS),
  settleMs: whole(0),
  uniqueDocuments: flag,
  customerListing: text,
  unknownCustomers: oneOf('park', 'repeat'),
};

/**
 * Reads what is stored. A member that is unknown or of another type is an error and nothing is guessed: a
 * limit that is not kept, or a time-out that is too short, does harm where nobody looks.
 * @throws Error that names the member and never its value
 */
export function readStoredConnection(stored: unknown): StoredConnection {
  if (isStoredConnection(stored)) return stored;
  if (!isObject(stored)) throw new Error('the settings of a finance connection are no object');
  const wrong = Object.keys(stored).find((member) => !memberFits(stored[member], member, MEMBERS));
  throw new Error(`the setting ${wrong} of a finance connection cannot be understood`);
}

/** Whether {@link readStoredConnection} can read it. */
export function isStoredConnection(stored: unknown): stored is StoredConnection {
  return fits(stored, MEMBERS);
}

function fits(value: unknown, members: Readonly<Record<string, Reading>>): boolean {
  return isObject(value) && Object.keys(value).every((member) => memberFits(value[member], member, members));
}

function memberFits(value: unknown, member: string, members: Readonly<Record<string, Reading>>): boolean {
  return Object.hasOwn(members, member) && members[member]?.(value) === true;
}

/** Where a key may be sent, in one spelling; undefined where there is no address. */
export function keyAddressOf(
  { baseUrl }: StoredConnection,
  ownBaseUrl: string | undefined,
): string | undefined {
  const address = baseUrl ?? ownBaseUrl;
  if (address === undefined || !URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** @param ownBaseUrl the address set in the environment, the only one that may lead into a private network */
export function connectionOf(
  organizationId: string,
  stored: StoredConnection,
  apiKey: string,
  ownBaseUrl: string | undefined,
): FinanceConnection {
  const baseUrl = (stored.baseUrl ?? ownBaseUrl)?.replace(/\/+$/, '');
  if (baseUrl === undefined) throw new Error('a finance connection has no address');
  return {
    ...CONNECTION_DEFAULTS,
    ...stored,
    organizationId,
    baseUrl,
    trustedAddress: baseUrl === ownBaseUrl,
    apiKey,
    limits: { ...CONNECTION_DEFAULTS.limits, ...stored.limits },
    timeouts: { ...CONNECTION_DEFAULTS.timeouts, ...stored.timeouts },
  };
}
