import type { IncomingMessage } from 'node:http';

/** Where the finance interface is served. */
const ROOT = '/v1';
const FINANCE_PATHS = /^\/v1(?:[/?]|$)/;
/** The last segment of creations, as clients write it that escape every segment of a path. */
const ESCAPED_FORMAT = /\/FormatType%3Djson$/i;

/** Whether an address, with or without query, is one of the finance interface. */
export function isFinancePath(url: string): boolean {
  return FINANCE_PATHS.test(url);
}

/**
 * Gives the address at which a request is served: paths below the prefix are those below `/v1`, and on the finance
 * interface a slash at the end is left out. All other addresses stand. The query stays as it is.
 * @param prefix such as `/empresas/v1`; absent: none
 */
export function servedAddress(prefix: string | undefined): (request: IncomingMessage) => string {
  return ({ url = '/' }) => {
    const path = url.split('?', 1)[0] ?? '';
    const query = url.slice(path.length);
    const below = prefix !== undefined && (path === prefix || path.startsWith(`${prefix}/`));
    const served = below ? ROOT + path.slice(prefix.length) : path;
    if (!isFinancePath(served)) return url;
    const bare = served.endsWith('/') ? served.slice(0, -1) : served;
    return bare.replace(ESCAPED_FORMAT, '/FormatType=json') + query;
  };
}
