import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';

/** An e-mail as it was handed over. */
export interface ReceivedEmail {
  /** Whom the envelope names. */
  to: string[];
  /** By their names in lower case, unfolded and decoded. */
  headers: Record<string, string>;
  /** Names of all headers, in their order. */
  headerNames: string[];
  text: string;
  html: string;
  /** Before it was decoded. */
  raw: string;
  secure: boolean;
}

const TLS = ['key.pem', 'certificate.pem'].map((name) => readFileSync(join(__dirname, 'tls', name)));

/** Greets at once: the library waits a tenth of a second, to find clients that talk too soon. */
SMTPConnection.prototype.init = function (): void {
  this._setListeners(() => this.connectionReady());
};

/** A mail server on this machine that keeps what it is given. */
export class Mailbox {
  readonly emails: ReceivedEmail[] = [];
  /** Answers to recipients, by address: the code of a refusal. */
  readonly refused = new Map<string, number>();
  /** The code with which every message is refused after it was sent; undefined: none is. */
  refusesData: number | undefined;
  port = 0;

  private readonly server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      ...{ authOptional: true, hideSTARTTLS: true, key: TLS[0], cert: TLS[1], ...options },
      onRcptTo: ({ address }, _session, done) => done(refusal(this.refused.get(address))),
      onData: (stream, { envelope, secure }, done) => {
        void text(stream).then((raw) => {
          const failure = refusal(this.refusesData);
          if (!failure) this.emails.push(received(raw, envelope.rcptTo, secure));
          done(failure);
        });
      },
    });
    // A client that leaves in the middle is no failure of the test.
    this.server.on('error', () => undefined);
  }

  /** @param options of the server besides its handlers @param port absent: any that is free */
  static async start(options: SMTPServerOptions = {}, port = 0): Promise<Mailbox> {
    const mailbox = new Mailbox(options);
    await new Promise<void>((resolve) => mailbox.server.listen(port, '127.0.0.1', resolve));
    mailbox.port = (mailbox.server.server.address() as AddressInfo).port;
    return mailbox;
  }

  /** Settings of a service that sends through it. */
  get settings(): Record<string, string> {
    return { SMTP_URL: `smtp://127.0.0.1:${this.port}`, SMTP_FROM: 'Ponte <ponte@example.com>' };
  }

  /** To this address, the first first. */
  to(address: string): ReceivedEmail[] {
    return this.emails.filter(({ to }) => to.includes(address));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

function refusal(code: number | undefined): Error | null {
  return code === undefined
    ? null
    : Object.assign(new Error('words of the mail server'), { responseCode: code });
}

function received(raw: string, rcptTo: readonly { address: string }[], secure: boolean): ReceivedEmail {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = headersOf(lines);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`).map(partOf);
  const partWith = (type: string) => parts.find((part) => part.type.startsWith(type))?.content ?? '';
  return {
    to: rcptTo.map(({ address }) => address),
    ...{ headers, headerNames: lines.map((line) => line.split(':')[0] ?? ''), raw, secure },
    ...{ text: partWith('text/plain'), html: partWith('text/html') },
  };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at).toLowerCase(), decodedWords(line.slice(at + 1).trim())]];
    }),
  );
}

function partOf(part: string): { type: string; content: string } {
  const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n');
  const headers = headersOf(head.replace(/\r\n[ \t]+/g, ' ').split('\r\n'));
  const body = rest.join('\r\n\r\n');
  const encoding = headers['content-transfer-encoding'];
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body)
        : Buffer.from(body);
  return { type: headers['content-type'] ?? '', content: bytes.toString().replace(/\r\n/g, '\n') };
}

function quotedPrintable(body: string): Buffer {
  const text = body.replace(/=\r\n/g, '');
  const decoded = text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/** Encoded words of a header (RFC 2047). */
function decodedWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : quotedPrintable(word.replace(/_/g, ' ')).toString(),
    );
}
