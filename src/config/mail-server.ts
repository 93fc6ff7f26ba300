import { isEmailAddress } from '../kernel/email-address';
import { hasUnprintable } from '../kernel/text';

/** What is wrong with `SMTP_URL` or `SMTP_FROM`, on one line that names it and repeats nothing of it. */
export class MailServerError extends Error {
  override readonly name = 'MailServerError';
}

/** Where e-mails are handed over, and who they are from. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: from the first byte; `starttls`: before anything is sent; `none`: in the clear. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  /** Absent: the server asks for no password. */
  readonly login?: { readonly user: string; readonly password: string };
  readonly from: { readonly name: string; readonly address: string };
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const FROM = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/;
const MOST_OF_NAME = 100;

/**
 * `smtps://user:password@host:465`, or `smtp://…:587`, which is encrypted by STARTTLS before anything is sent. In the clear
 * only on this machine, or with `?tls=none`.
 * @returns undefined when neither is set
 * @throws MailServerError
 */
export function readMailServer(url: string | undefined, from: string | undefined): MailServer | undefined {
  if (url === undefined) {
    if (from !== undefined) throw new MailServerError('SMTP_FROM is of use only with SMTP_URL');
    return undefined;
  }
  if (from === undefined)
    throw new MailServerError('SMTP_FROM is needed with SMTP_URL: the address that e-mails are from');
  return { ...readServer(url), from: readSender(from) };
}

function readServer(text: string): Omit<MailServer, 'from'> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    throw new MailServerError(
      'SMTP_URL must be an address such as smtps://user:password@mail.example.com:465; letters with a meaning in addresses are written as %40',
    );
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!/^[\w.:-]+$/.test(host)) throw new MailServerError('SMTP_URL must name a host');
  if (!['', '/'].includes(url.pathname) || url.hash !== '')
    throw new MailServerError('SMTP_URL must have no path and no fragment');
  const login = readLogin(url);
  const port = url.port === '' ? PORTS[url.protocol] : Number(url.port);
  return { host, port, tls: readTls(url, host), ...(login && { login }) };
}

function readTls({ protocol, search }: URL, host: string): MailServer['tls'] {
  if (search !== '' && search !== '?tls=none')
    throw new MailServerError('SMTP_URL must have no parameter but tls=none');
  if (protocol === 'smtps:') {
    if (search !== '') throw new MailServerError('SMTP_URL: smtps is encrypted, so it cannot have tls=none');
    return 'implicit';
  }
  return search !== '' || isThisMachine(host) ? 'none' : 'starttls';
}

function readLogin({ username, password }: URL): MailServer['login'] {
  if (username === '' && password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new MailServerError('SMTP_URL: a % in the user or the password is written as %25');
  }
}

function readSender(text: string): MailServer['from'] {
  const [, name = '', inBrackets, alone] = FROM.exec(text) ?? [];
  const address = inBrackets ?? alone ?? '';
  if (hasUnprintable(text) || name.length > MOST_OF_NAME || !isEmailAddress(address))
    throw new MailServerError(
      'SMTP_FROM must be an address such as ponte@example.com, or Ponte <ponte@example.com>',
    );
  return { name: name.trim(), address };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
