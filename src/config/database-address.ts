/** What is wrong with `DATABASE_URL`, on one line that names it and repeats nothing of it but names of servers. */
export class DatabaseAddressError extends Error {
  override readonly name = 'DatabaseAddressError';
}

/** Where a PostgreSQL server may be reached. */
export interface DatabaseServer {
  readonly host: string;
  /** Absent: the driver's default. */
  readonly port?: number;
}

/** What `DATABASE_URL` says. */
export interface DatabaseAddress {
  /** A connection string that names one server, as the driver takes it. */
  readonly connectionString: string;
  /** The servers of which one is to be chosen, in the order given; empty where the string names one only. */
  readonly servers: readonly DatabaseServer[];
}

const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/;
const SERVER = /^(\[[\da-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/i;
/** What Ponte does whenever several servers are named; libpq knows others, with which nothing could be written. */
const WRITABLE = ['read-write', 'primary'];

/**
 * Reads a connection string that may name several servers, as libpq does: `postgresql://user@h1:5432,h2:5432/ponte`, or
 * `postgresql:///ponte?host=h1,h2&port=5432,5433`.
 * @throws DatabaseAddressError
 */
export function readDatabaseAddress(url: string): DatabaseAddress {
  if (!/^postgres(ql)?:\/\/\S+$/.test(url))
    throw new DatabaseAddressError('DATABASE_URL must start with postgresql:// or postgres://');
  const [, scheme = '', user = '', authority = '', path = '', search = ''] = PARTS.exec(url) ?? [];
  const parameters = new URLSearchParams(search);
  const wanted = parameters.get('target_session_attrs') ?? 'read-write';
  if (!WRITABLE.includes(wanted))
    throw new DatabaseAddressError(
      `DATABASE_URL: target_session_attrs must be ${WRITABLE.join(' or ')}, because Ponte writes`,
    );
  const asParameter = parameters.get('host');
  const names = (asParameter ?? authority).split(',');
  if (names.length === 1) return { connectionString: url, servers: [] };
  const ports = asParameter === null ? undefined : parameters.get('port')?.split(',');
  const servers = names.map((name, index) => serverOf(name, ports?.length === 1 ? ports[0] : ports?.[index]));
  if (ports && ports.length !== 1 && ports.length !== servers.length)
    throw new DatabaseAddressError('DATABASE_URL must name one port, or as many as hosts');
  for (const name of ['host', 'port']) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return { connectionString: `${scheme}${user}server${path}${rest}`, servers };
}

function serverOf(name: string, portParameter: string | undefined): DatabaseServer {
  const isSocket = name.startsWith('/') || /^%2f/i.test(name);
  const [, host, port = portParameter] = (isSocket ? ['', name] : SERVER.exec(name)) ?? [];
  if (!host || (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65535)))
    throw new DatabaseAddressError(`DATABASE_URL: "${name}" is no host, nor a host with its port`);
  const plain = decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1'));
  return port === undefined ? { host: plain } : { host: plain, port: Number(port) };
}
