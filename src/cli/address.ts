import { wrongUsage } from './failure';

export const DEFAULT_URL = 'http://127.0.0.1:3000';

/** @returns the address without a slash at its end. @throws Failure of wrong usage */
export function ponteAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrongUsage('The address must begin with http:// or https://');
  if (url.username || url.password || url.search || url.hash)
    throw wrongUsage('The address must be without user, password, query and fragment');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Whether a key sent there could be read on the way. */
export function isReadableOnTheWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
