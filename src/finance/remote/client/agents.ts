import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkLiteral, guardedLookup, type AddressRule } from './addresses';

/** A connection took too long. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';
  readonly code = 'PONTE_CONNECT_TIMEOUT';
}

/**
 * Idle connections are closed after so many milliseconds. Servers close theirs after five seconds or more, and
 * a request that meets such an end could not be told from one that was lost on its way.
 */
const IDLE_MS = 4_000;
/** What a server announces is shortened by so much, for the same reason. */
const IDLE_MARGIN_MS = 1_000;

/** What a request tells the agent that makes its connection. */
export interface Dialling {
  readonly connectMs: number;
  /** Ends the making of the connection. */
  readonly signal: AbortSignal;
}

/** How connections to one service are made. */
export interface AgentRules {
  readonly allowed: AddressRule;
  readonly lookup: LookupFunction;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
}

type Created = (error: Error | null, socket: Duplex) => void;
type Options<T> = T & { dialling?: Dialling };

/**
 * Agents that keep connections open and hand one over only when it is fully made, TLS included: what fails
 * before has surely sent nothing of a request.
 */
export function guardedAgents(rules: AgentRules): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const { allowed, ca } = rules;
  const lookup = guardedLookup(allowed, rules.lookup);
  const common = { keepAlive: true, timeout: IDLE_MS, lookup, maxSockets: Infinity };
  return {
    httpAgent: guarded(new HttpAgent(common), 'connect', allowed),
    httpsAgent: guarded(new HttpsAgent({ ...common, ...(ca && { ca }) }), 'secureConnect', allowed),
  };
}

/** The agent, whose connections are made by {@link dial} and kept by {@link staysOpen}. */
function guarded<A extends HttpAgent>(agent: A, ready: 'connect' | 'secureConnect', allowed: AddressRule): A {
  const connect = agent.createConnection.bind(agent);
  const keepAlive = agent.keepSocketAlive.bind(agent);
  agent.createConnection = (options: Options<ClientRequestArgs>, created?: Created): undefined => {
    dial(ready, options, allowed, () => connect(options), created);
  };
  agent.keepSocketAlive = (socket) => staysOpen(socket, keepAlive(socket));
  return agent;
}

/** Makes a connection and hands it over once `ready` has been emitted; ends it when that takes too long. */
function dial(
  ready: 'connect' | 'secureConnect',
  { host, dialling }: Options<{ host?: string | null }>,
  allowed: AddressRule,
  connect: () => Duplex | null | undefined,
  created: Created | undefined,
): void {
  if (!created || !dialling) throw new Error('connections are made for requests of the finance client only');
  let socket: Duplex | null | undefined;
  try {
    checkLiteral(host ?? '', allowed);
    socket = connect();
  } catch (error) {
    return failed(created, error);
  }
  if (!socket) return failed(created, new Error('no connection was made'));
  const made = socket;
  const end = (error: Error): void => void made.destroy(error);
  const late = setTimeout(() => end(new ConnectTimeoutError('no connection in time')), dialling.connectMs);
  const aborted = (): void => end(new Error('given up'));
  const settle = (): void => {
    clearTimeout(late);
    dialling.signal.removeEventListener('abort', aborted);
    made.off('error', onError).off(ready, onReady).off('close', onClose);
  };
  const onReady = (): void => {
    settle();
    // Until the request has it, nobody else would hear of its end.
    made.on('error', () => undefined);
    created(null, made);
  };
  const onError = (error: Error): void => {
    settle();
    failed(created, error);
  };
  const onClose = (): void => onError(new Error('closed while connecting'));
  made.once(ready, onReady).once('error', onError).once('close', onClose);
  dialling.signal.addEventListener('abort', aborted, { once: true });
  if (dialling.signal.aborted) aborted();
}

/** Node's types want a connection where there is an error instead of one. */
function failed(created: Created, error: unknown): void {
  (created as (error: unknown) => void)(error);
}

function staysOpen(socket: Duplex, kept: unknown): boolean {
  if (kept === false || !(socket instanceof Socket)) return false;
  const limit = socket.timeout || IDLE_MS;
  // What the server announced has become the socket's own time-out, where that is shorter than ours.
  const idle = limit < IDLE_MS ? limit - IDLE_MARGIN_MS : IDLE_MS;
  if (idle <= 0) return false;
  socket.setTimeout(idle);
  return true;
}
