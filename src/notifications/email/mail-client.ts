import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import type { MailServer } from '../../config/mail-server';
import { isEmailAddress } from '../../kernel/email-address';

/** Milliseconds. The whole is shorter than the lease of a deferred effect. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
const LONGEST_MS = 60_000;
/** A server that talks on without an end is left. */
const MOST_OF_REPLY = 64 * 1024;

/** One e-mail to one address. */
export interface OutgoingEmail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Without angle brackets, the same for every try. */
  readonly messageId: string;
  readonly date: Date;
}

/**
 * What came of handing an e-mail over: `refused` for good, or `failed` and worth another try. Reasons repeat nothing of what
 * the server said, which may name people.
 */
export type HandedOver =
  { readonly state: 'taken' } | { readonly state: 'refused' | 'failed'; readonly reason: string };

/** Hands an e-mail over to the mail server. It never rejects. */
export async function handOver(server: MailServer, email: OutgoingEmail): Promise<HandedOver> {
  // The library would take several, with names and comments.
  if (!isEmailAddress(email.to)) return { state: 'refused', reason: 'its recipient is no e-mail address' };
  // Loaded when the first e-mail is sent: most installations send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(optionsOf(server));
  const { to, messageId, ...content } = email;
  const { name, address } = server.from;
  const sending = transport.sendMail({
    ...content,
    from: { name, address },
    to: { name: '', address: to },
    envelope: { from: address, to: [to] },
    messageId: `<${messageId}>`,
    // Neither answers of absent people nor replies to them.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  });
  return within(sending, () => transport.close());
}

/** Whether the server can be reached and takes the password. @returns why not; undefined: it does */
export async function tryMailServer(server: MailServer): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(optionsOf(server));
  const result = await within(transport.verify(), () => transport.close());
  return result.state === 'taken' ? undefined : result.reason;
}

function optionsOf({ host, port, tls, login }: MailServer): SMTPTransportOptions {
  return {
    ...{ host, port, ...TIMEOUTS, maxResponseSize: MOST_OF_REPLY },
    ...{ secure: tls === 'implicit', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    // Nothing that an e-mail says is read from a file or an address.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

async function within(sending: Promise<unknown>, close: () => void): Promise<HandedOver> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HandedOver>((resolve) => {
    timer = setTimeout(
      () => resolve({ state: 'failed', reason: 'the mail server took too long' }),
      LONGEST_MS,
    );
  });
  const done = sending.then(
    (): HandedOver => ({ state: 'taken' }),
    (error: unknown) => outcomeOf(error as NodemailerError),
  );
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  close();
  return result;
}

function outcomeOf({ code, command, responseCode, permanent, originalCode }: NodemailerError): HandedOver {
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return { state: 'failed', reason: 'the mail server does not take the user and password of SMTP_URL' };
  if (code === 'ETLS')
    return { state: 'failed', reason: 'the mail server offers no encryption that is good' };
  if (responseCode === undefined)
    return {
      state: 'failed',
      reason: `the mail server cannot be reached (${originalCode ?? code ?? 'no code'})`,
    };
  const isOfRecipient = command === 'RCPT TO';
  const what = isOfRecipient ? 'the recipient' : command === 'MAIL FROM' ? 'the address of SMTP_FROM' : 'it';
  const reason = `the mail server refused ${what} with ${responseCode}`;
  const isForGood = permanent === true && (isOfRecipient || code === 'EMESSAGE');
  return { state: isForGood ? 'refused' : 'failed', reason };
}
