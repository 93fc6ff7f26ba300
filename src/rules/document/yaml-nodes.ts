import { isAlias, isMap, isScalar, isSeq, Lexer, parseDocument, type ParsedNode, type YAMLError } from 'yaml';
import type { Problems } from './problems';
import { scalarOffsets } from './scalar-offsets';

/** Text as written: quotes and escapes undone, numbers and `true` untouched. */
export interface TextNode {
  readonly kind: 'text';
  readonly value: string;
  readonly offset: number;
  /** Where in the document the value's character `index` stands. */
  offsetOf(index: number): number;
}

export interface ListNode {
  readonly kind: 'list';
  readonly offset: number;
  readonly items: readonly DocumentNode[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly offset: number;
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member {
  readonly key: TextNode;
  readonly value: DocumentNode;
}

export type DocumentNode = TextNode | ListNode | MapNode;

export const MAX_DOCUMENT_BYTES = 64 * 1024;

/** The parser recurses: these keep any document far from the stack's end. No real rule comes near them. */
const MAX_BRACKETS = 32;
const MAX_INDENTATION = 200;
const MAX_MARKS_A_LINE = 32;
/**
 * Pieces that the lexer makes of a rule, a name or a sign each: some fifty steps with all their inputs have less. For
 * documents that are sent; what was stored before there was this limit goes on.
 */
export const MAX_RULE_PIECES = 10_000;
/** More errors of one document are of no use to anybody. */
const MAX_SYNTAX_ERRORS = 20;

/**
 * Reads a YAML (or JSON) document in which every scalar is text. Anchors, aliases, tags and repeated keys are
 * problems; so a document is never larger than it looks.
 * @param maxPieces names, values and signs it may be made of; the parser's work grows faster than their number
 * @returns undefined when it cannot be read; `problems` says why
 */
export function readYaml(source: string, problems: Problems, maxPieces = Infinity): DocumentNode | undefined {
  if (Buffer.byteLength(source) > MAX_DOCUMENT_BYTES) {
    problems.add(0, `the document is larger than ${MAX_DOCUMENT_BYTES / 1024} KiB`);
    return undefined;
  }
  const nul = source.indexOf('\0');
  if (nul !== -1) {
    problems.add(nul, 'there is a character here that text cannot hold (U+0000)');
    return undefined;
  }
  const tooMuch = findTooMuch(source, maxPieces);
  if (tooMuch !== undefined) {
    problems.add(tooMuch.offset, tooMuch.message);
    return undefined;
  }
  // Repeated keys are found below: the library compares every key with every other.
  const options = { schema: 'failsafe', prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const;
  const document = parseDocument(source, options);
  if (document.errors.length > 0) {
    const first = firstOfEachLine(document.errors, source);
    for (const error of first.slice(0, MAX_SYNTAX_ERRORS)) addSyntaxProblem(error, source, problems);
    return undefined;
  }
  const contents = document.contents;
  if (contents === null) {
    problems.add(0, 'the document is empty');
    return undefined;
  }
  const reading = new Reading(source, problems);
  const root = reading.node(contents);
  // What a comma left of a value says nothing: what is wrong in it is the comma alone.
  return reading.isCut ? undefined : root;
}

/** Where nesting or the number of pieces passes a limit, judged by the lexer, which does not recurse. */
function findTooMuch(source: string, maxPieces: number): { offset: number; message: string } | undefined {
  let [offset, brackets, marks, lineStarted, pieces] = [0, 0, 0, false, 0];
  for (const lexeme of new Lexer().lex(source)) {
    // The lexer's own marks (start of document, of a scalar, of the stream) are no part of the source.
    const isControl =
      lexeme.length === 1 && '\u0002\u0018\u001f\ufeff'.includes(lexeme) && source[offset] !== lexeme;
    if (isControl) continue;
    pieces += 1;
    if (pieces > maxPieces) return { offset, message: 'the document has too many lines and signs' };
    if (lexeme === '[' || lexeme === '{') brackets += 1;
    else if (lexeme === ']' || lexeme === '}') brackets -= 1;
    else if (lexeme === '-' || lexeme === '?' || lexeme === ':') marks += 1;
    const isIndentation = !lineStarted && lexeme.trim() === '' && lexeme.length > MAX_INDENTATION;
    if (brackets > MAX_BRACKETS || marks > MAX_MARKS_A_LINE || (isIndentation && !lexeme.includes('\n'))) {
      return { offset, message: 'the document is nested too deeply' };
    }
    lineStarted = true;
    if (lexeme.includes('\n')) [marks, lineStarted] = [0, false];
    offset += lexeme.length;
  }
  return undefined;
}

/** What follows on the same line is what the first one led to. */
function firstOfEachLine(errors: readonly YAMLError[], source: string): YAMLError[] {
  const lines = new Set<number>();
  return errors.filter(({ pos: [offset] }) => {
    const line = source.lastIndexOf('\n', offset - 1);
    return lines.has(line) ? false : lines.add(line);
  });
}

/** A list element or value that YAML takes for done at its second quote: `- "a" in order.names`. */
const QUOTED_BEGINNING = /^\s*(?:- +)*(?:\w+: +)?(?:"[^"]*"|'[^']*')\s+[^\s#,\]}:]/;

/** The same between brackets, up to what follows the second quote: `["a" in order.names]`. */
const QUOTED_IN_BRACKETS = /[[{,:]\s*(?:"[^"]*"|'[^']*')\s+$/;

function beginsWithQuote({ code }: YAMLError, line: string, column: number): boolean {
  if (code === 'UNEXPECTED_TOKEN') return QUOTED_BEGINNING.test(line);
  return (
    code === 'MISSING_CHAR' &&
    QUOTED_IN_BRACKETS.test(line.slice(0, column)) &&
    /^[^"'\s]/.test(line.slice(column))
  );
}

const QUOTES_BETWEEN_BRACKETS =
  'between [ ] and { }, put quotes around the whole of a value that has a comma or brackets in it';

function addSyntaxProblem(error: YAMLError, source: string, problems: Problems): void {
  const [offset] = error.pos;
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  const line = source.slice(start).split('\n', 1)[0] ?? '';
  if (error.code === 'TAB_AS_INDENT') {
    problems.add(offset, 'the YAML cannot be read: there is a tab; indent with spaces');
    return;
  }
  if (error.code === 'MULTIPLE_DOCS') {
    problems.add(
      offset,
      'the YAML cannot be read: a second document begins here, and there may be one rule or table alone',
    );
    return;
  }
  if (beginsWithQuote(error, line, offset - start)) {
    const message =
      'the YAML cannot be read: put quotes around the whole of a value that begins with a quote';
    problems.add(offset, message);
    return;
  }
  const isBetweenBrackets = error.code === 'MISSING_CHAR' && /[[{]/.test(line.slice(0, offset - start));
  if (isBetweenBrackets && !line.includes('${')) {
    problems.add(offset, `the YAML cannot be read here: ${QUOTES_BETWEEN_BRACKETS}`);
    return;
  }
  const hint = line.includes('${') ? '; put quotes around a value that has ": ", " #", "{" or "," in it' : '';
  const message = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  problems.add(offset, `the YAML cannot be read: ${message}${hint}`);
}

/** Turns the library's nodes into ours, refusing what documents of ours have no use for. */
class Reading {
  /** Whether a comma ended a value that was meant to go on. */
  isCut = false;

  constructor(
    private readonly source: string,
    private readonly problems: Problems,
  ) {}

  node(node: ParsedNode): DocumentNode {
    const [start, end] = node.range;
    if (isAlias(node)) {
      this.problems.add(start, 'aliases (*name) are not taken: write the value again');
      return this.text('', [start, end]);
    }
    if (node.anchor !== undefined) this.problems.add(start, 'anchors (&name) are not taken');
    if (node.tag !== undefined) return this.tagged(node.tag, start, end);
    if (isScalar(node)) return this.text(typeof node.value === 'string' ? node.value : '', [start, end]);
    if (isSeq(node)) {
      if (node.flow) this.findCut(node.items);
      return { kind: 'list', offset: start, items: node.items.map((item) => this.node(item)) };
    }
    if (isMap(node) && node.flow) this.findCut(node.items.flatMap(({ key, value }) => [key, value]));
    return { kind: 'map', offset: start, members: isMap(node) ? this.members(node.items) : new Map() };
  }

  /** Between brackets a comma ends a value without quotes, also within a call such as `substring(0, 1)`. */
  private findCut(pieces: readonly (ParsedNode | null)[]): void {
    let open: number | undefined;
    for (const piece of pieces) {
      if (!isScalar(piece) || piece.type !== 'PLAIN') continue;
      const depth = depthOf(String(piece.value));
      if (depth > 0) open ??= piece.range[0];
      if (depth >= 0 || open === undefined) continue;
      this.problems.add(open, `a comma ends this value: ${QUOTES_BETWEEN_BRACKETS}`);
      [this.isCut, open] = [true, undefined];
    }
  }

  /** What begins with "!" is nearly always a condition without its quotes. */
  private tagged(tag: string, start: number, end: number): TextNode {
    const place = Math.max(0, this.source.lastIndexOf('!', start));
    this.problems.add(place, 'tags (!name) are not taken: put quotes around a value that begins with "!"');
    return this.text(tag, [place, end]);
  }

  private members(items: readonly { key: ParsedNode; value: ParsedNode | null }[]): Map<string, Member> {
    const members = new Map<string, Member>();
    for (const { key, value } of items) {
      if (this.problems.isFull) break;
      const name = this.node(key);
      if (name.kind !== 'text') {
        this.problems.add(name.offset, 'a name must be text');
        continue;
      }
      if (members.has(name.value)) {
        this.problems.add(name.offset, `"${name.value}" is there twice`);
        continue;
      }
      const end = key.range[1];
      members.set(name.value, {
        key: name,
        value: value === null ? this.text('', [end, end]) : this.node(value),
      });
    }
    return members;
  }

  private text(value: string, range: readonly [number, number]): TextNode {
    let offsets: number[] | undefined;
    const { source } = this;
    return {
      kind: 'text',
      value,
      offset: range[0],
      offsetOf: (index) => (offsets ??= scalarOffsets(source, range, value))[index] ?? range[1],
    };
  }
}

/** How many more parentheses a text opens than it closes. */
function depthOf(text: string): number {
  return text.split('(').length - text.split(')').length;
}
