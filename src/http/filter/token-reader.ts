import { nearestName } from '../../kernel/nearest';
import type { Problem } from '../../kernel/problem';
import type { ListFields } from './fields';
import { unreadableOption } from './list-option-problem';
import { tokensOf, type Token } from './lexer';

/** Reads the tokens of one list option from left to right; what both options have in common. */
export class TokenReader {
  private readonly tokens: readonly Token[];
  private readonly paths: ReadonlyMap<string, string>;
  private next = 0;

  /** @throws Problem malformed-request */
  constructor(
    private readonly option: string,
    source: string,
    readonly fields: ListFields,
  ) {
    this.tokens = tokensOf(option, source);
    this.paths = new Map(Object.keys(fields).map((path) => [path.toLowerCase(), path]));
  }

  get current(): Token {
    return this.at(0);
  }

  /** The token after the current one. */
  get following(): Token {
    return this.at(1);
  }

  take(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.next += 1;
    return token;
  }

  isSign(sign: string): boolean {
    return this.current.kind === 'punctuation' && this.current.text === sign;
  }

  /** The current token as a word of the language, in lower case; undefined when it is none. */
  get word(): string | undefined {
    return this.current.kind === 'name' ? this.current.text.toLowerCase() : undefined;
  }

  /** @throws Problem malformed-request when something else stands there */
  expectSign(sign: string): void {
    if (!this.isSign(sign)) throw this.unexpected(`"${sign}"`);
    this.take();
  }

  /** The path that begins here, as the list's table spells it. @throws Problem malformed-request */
  path(): { path: string; position: number } {
    if (this.current.kind !== 'name') throw this.unexpected('a property');
    const { text, position } = this.take();
    let written = text;
    while (this.isSign('/')) {
      this.take();
      if (this.current.kind !== 'name') throw this.unexpected('a property');
      written += `/${this.take().text}`;
    }
    const path = this.paths.get(written.toLowerCase());
    if (path === undefined) throw this.unknown('property', written, position, Object.keys(this.fields));
    return { path, position };
  }

  unknown(what: string, written: string, position: number, known: Iterable<string>): Problem {
    const nearest = nearestName(written, known);
    // What is near no name may be somebody's: problems do not repeat what was sent.
    const reason =
      nearest === undefined ? `there is no such ${what} here` : `there is no ${what} "${written}" here`;
    return this.problem(position, reason, nearest);
  }

  unexpected(wanted: string): Problem {
    const { kind, text, position } = this.current;
    const shown: Partial<Record<Token['kind'], string>> = {
      name: 'a word',
      end: 'the end',
      punctuation: `"${text}"`,
    };
    return this.problem(position, `${wanted} is expected, not ${shown[kind] ?? `a ${kind}`}`);
  }

  problem(position: number, reason: string, nearest?: string): Problem {
    return unreadableOption(this.option, position, reason, nearest);
  }

  private at(distance: number): Token {
    const token = this.tokens[Math.min(this.next + distance, this.tokens.length - 1)];
    if (!token) throw new Error('the tokens have no end');
    return token;
  }
}
