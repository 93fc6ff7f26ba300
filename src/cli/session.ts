import { pathOf, PonteClient, type Reply, type Request } from './client';
import { EXIT, Failure, wrongUsage } from './failure';
import { Files } from './files';
import { recordLines } from './output/record';
import { harmlessJson } from './output/text';
import type { Terminal } from './terminal';

/** Options that every command takes. */
export interface GlobalOptions {
  url?: string;
  org?: string;
  keyFile?: string;
  json?: boolean;
}

export type Query = Readonly<Record<string, string | undefined>>;

/** One command at work: where it asks, as whom, and how it tells what came of it. */
export class Session {
  readonly files: Files;
  readonly client: PonteClient;
  private key?: Promise<string>;

  constructor(
    readonly terminal: Terminal,
    private readonly options: GlobalOptions,
  ) {
    this.files = new Files(terminal);
    this.client = new PonteClient(ponteAddress(options.url ?? terminal.env['PONTE_URL'] ?? DEFAULT_URL));
  }

  /** Whether data is to be printed as the API gives it. */
  get json(): boolean {
    return this.options.json === true;
  }

  /** Id or slug of the organization that the command is about. @throws Failure of wrong usage */
  get organization(): string {
    const name = this.options.org ?? this.terminal.env['PONTE_ORG'];
    if (name) return name;
    throw wrongUsage('Which organization? Give --org, or set PONTE_ORG.');
  }

  /** Path below the organization; each part is taken literally. */
  within(...parts: readonly string[]): string {
    return `/admin/organizations${pathOf(this.organization, ...parts)}`;
  }

  get(path: string, query?: Query): Promise<Reply> {
    return this.ask({ method: 'GET', path, ...(query && { query }) });
  }

  /** Sends JSON; members that are undefined stay out. */
  send(method: Request['method'], path: string, body?: object): Promise<Reply> {
    const content = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return this.ask({ method, path, ...content });
  }

  /** Asks with the operators' key. @throws Failure */
  async ask(request: Request): Promise<Reply> {
    return this.client.ask(await this.withKey(request));
  }

  /** As {@link ask}, and again where Ponte says to come back soon. @throws Failure */
  async askPatiently(request: Request): Promise<Reply> {
    return this.client.askPatiently(await this.withKey(request));
  }

  /** Asks for a file with the operators' key. @param file gets it @throws Failure also where it is cut off */
  async download(request: Request, file: string): Promise<void> {
    return this.client.download(await this.withKey(request), file);
  }

  /** Prints what Ponte answered: exactly, or for a person. */
  async show(reply: Reply, view: unknown = reply.body): Promise<void> {
    if (this.json) return this.printJson(reply);
    if (reply.text !== '') await this.terminal.printLines(recordLines(view, this.terminal.style));
  }

  /** Prints what a command did by itself. */
  async showDone(result: object): Promise<void> {
    return this.show({ status: 200, text: JSON.stringify(result), body: result });
  }

  async printJson({ text }: Reply): Promise<void> {
    if (text !== '') await this.terminal.print(`${harmlessJson(text).trimEnd()}\n`);
  }

  /**
   * Asks before something is done that the plan on the screen does not undo.
   * @throws Failure of wrong usage where nobody can be asked
   */
  async agreed(question: string, yes: boolean | undefined): Promise<boolean> {
    if (yes) return true;
    const answer = await this.terminal.confirm(question);
    if (answer === undefined)
      throw new Failure(
        EXIT.usage,
        'Nothing was done. Add --yes to do it, or --dry-run to see the plan alone.',
      );
    if (!answer) await this.terminal.say('Nothing was done.');
    return answer;
  }

  private async withKey(request: Request): Promise<Request> {
    const authorization = `Bearer ${await (this.key ??= this.readKey())}`;
    return { ...request, headers: { ...request.headers, authorization } };
  }

  private async readKey(): Promise<string> {
    const { keyFile } = this.options;
    const { PONTE_KEY, ADMIN_API_KEY } = this.terminal.env;
    const key = keyFile ? await this.files.secret(keyFile) : PONTE_KEY || ADMIN_API_KEY || missing();
    // A header can hold nothing else; `fetch` would quote the key in its complaint.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new Failure(EXIT.keyRefused, 'The key holds characters that no key of Ponte has');
    if (isReadableOnTheWay(this.client.url))
      await this.terminal.say(`Careful: the key travels readable to ${this.client.url}; use https.`);
    return key;
  }
}

function missing(): never {
  throw new Failure(
    EXIT.keyRefused,
    'Which key? Set PONTE_KEY or ADMIN_API_KEY, or name a file with --key-file.',
  );
}

export const DEFAULT_URL = 'http://127.0.0.1:3000';

/** @returns the address without a slash at its end. @throws Failure of wrong usage */
function ponteAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrongUsage('The address must begin with http:// or https://');
  if (url.username || url.password || url.search || url.hash)
    throw wrongUsage('The address must be without user, password, query and fragment');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Whether a key sent there could be read on the way. */
function isReadableOnTheWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Organization and slug of a source as the command line names it: `main/shopify`, or the slug alone with `--org`.
 * @throws Failure of wrong usage
 */
export function sourceAddress(session: Session, source: string): [organization: string, slug: string] {
  const parts = source.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) throw wrongUsage('--source is an organization and a slug: main/shopify');
  return second === undefined ? [session.organization, first] : [first, second];
}
