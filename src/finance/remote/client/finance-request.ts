import { replyJson } from '../../../http/reply-json';
import { writeXml } from '../../../http/xml/write-xml';
import { operation, type Operation } from '../../api/operations/operations';
import type { FinanceConnection } from './connection';
import type { ClientCall } from './finance-client';
import { orderedSkip, orderOf } from './list-order';
import { ACCEPT_ENCODING } from './unpack';

/** A request as it is put on the wire. Holds the key: never to be logged. */
export interface FinanceRequest {
  readonly method: Operation['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Account creation: the one operation that documents where its key goes. */
const KEY_IN_QUERY = 'accounts.create';

const ACCEPT = {
  json: 'application/json, application/problem+json;q=0.9, */*;q=0.1',
  xml: 'application/xml, text/xml;q=0.9, application/problem+xml;q=0.8, */*;q=0.1',
} as const;
const CONTENT_TYPE = { json: 'application/json', xml: 'application/xml; charset=utf-8' } as const;

/**
 * The request of a call.
 * @param userAgent what Ponte calls itself
 * @throws Error when a parameter of the path is missing, or would leave the path
 */
export function requestOf(
  connection: FinanceConnection,
  call: ClientCall,
  userAgent: string,
): FinanceRequest {
  const row = operation(call.operation);
  const credential = row.id === KEY_IN_QUERY ? 'apitoken' : connection.credential;
  return {
    method: row.method,
    url: address(
      { ...connection, credential },
      pathOf(row, call.path ?? {}),
      orderedSkip(call.query ?? {}, orderOf(call.operation)),
    ),
    headers: headersOf({ ...connection, credential }, userAgent, call.body !== undefined),
    ...(call.body !== undefined && { body: bodyText(connection, row.request ?? 'Request', call.body) }),
  };
}

/**
 * The request of one page of a listing that is none of the nineteen operations.
 * @param path below the base address, beginning with a slash
 * @throws Error when the path is none
 */
export function listRequestOf(
  connection: FinanceConnection,
  path: string,
  query: Readonly<Record<string, string>>,
  userAgent: string,
): FinanceRequest {
  const segments = path.split('/');
  if (segments.shift() !== '' || /[?#\\]/.test(path) || segments.some(leavesPath))
    throw new Error('the path of a listing does not stay below the base address');
  return {
    method: 'GET',
    url: address(connection, path, orderedSkip(query, 'id')),
    headers: headersOf(connection, userAgent, false),
  };
}

/** A segment that an address reads as "here" or "up", encoded or not. */
function leavesPath(segment: string): boolean {
  return /^(?:\.|%2e){0,2}$/i.test(segment);
}

function pathOf(row: Operation, values: Readonly<Record<string, string>>): string {
  return row.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined || leavesPath(value)) throw new Error(`${row.id} needs its ${name}`);
    return encodeURIComponent(value);
  });
}

function address(
  { baseUrl, organization, apiKey, credential }: FinanceConnection,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const parameters = {
    ...query,
    ...(organization !== undefined && { Organization: organization }),
    ...(credential === 'apitoken' && { apitoken: apiKey }),
  };
  const text = Object.entries(parameters)
    // A `$` may stand in a query, and some services know `$filter` only so.
    .map(([name, value]) => `${encodeURIComponent(name).replace(/^%24/, '$')}=${encodeURIComponent(value)}`)
    .join('&');
  return `${baseUrl.replace(/\/+$/, '')}${path}${text === '' ? '' : `?${text}`}`;
}

function headersOf(
  { form, credential, apiKey }: FinanceConnection,
  userAgent: string,
  withBody: boolean,
): Record<string, string> {
  return {
    accept: ACCEPT[form],
    'accept-encoding': ACCEPT_ENCODING,
    'user-agent': userAgent,
    ...(withBody && { 'content-type': CONTENT_TYPE[form] }),
    ...(credential === 'ApiToken' && { ApiToken: apiKey }),
    ...(credential === 'bearer' && { authorization: `Bearer ${apiKey}` }),
  };
}

function bodyText({ form }: FinanceConnection, root: string, body: object): string {
  return form === 'xml' ? writeXml(root, body) : replyJson(body);
}
