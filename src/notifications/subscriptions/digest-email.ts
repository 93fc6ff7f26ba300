import { ATTENTION_CODES } from '../../finance/api/effects/attention';
import type { Money } from '../../kernel/money';
import { replaceUnprintable } from '../../kernel/text';
import {
  commandOf,
  type Digest,
  listCommandsOf,
  MOST_LISTED,
  type OpenItem,
  shownKey,
  totalsOf,
} from './digest';
import type { Language } from './subscription';
import { BOOKS_INCOMPLETE, DEAD_LETTER } from './topics';
import type { SaidCode, Wording } from './wording';
import { ENGLISH } from './wording-en';
import { BRAZILIAN_PORTUGUESE } from './wording-pt-br';

const WORDINGS: Readonly<Record<Language, Wording>> = { en: ENGLISH, 'pt-BR': BRAZILIAN_PORTUGUESE };
const MOST_OF_SUBJECT = 150;

/** An e-mail without its addresses. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A digest in the words, amounts and times of a language. @param isAlone one item that is told at once */
export function digestEmail(digest: Digest, language: Language, isAlone: boolean): Email {
  const writer = new DigestWriter(digest, language);
  const heading = writer.heading(isAlone);
  const parts = writer.parts(isAlone);
  const name = digest.organization.name;
  const subject = replaceUnprintable(`[Ponte] ${name}: ${heading}`).slice(0, MOST_OF_SUBJECT);
  return { subject, text: asText(heading, parts), html: asHtml(heading, parts, language) };
}

/** A paragraph with lines; the first of an item is its sentence. */
interface Part {
  readonly title?: string;
  readonly blocks: readonly (readonly string[])[];
}

class DigestWriter {
  private readonly wording: Wording;
  private readonly when: Intl.DateTimeFormat;
  private readonly number: Intl.NumberFormat;

  constructor(
    private readonly digest: Digest,
    private readonly language: Language,
  ) {
    const { timeZone } = digest.organization;
    this.wording = WORDINGS[language];
    // Of English, the form that is read alike on both sides of the ocean: 10 Mar 2026, 15:00.
    const locale = language === 'en' ? 'en-GB' : language;
    this.when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
    this.number = new Intl.NumberFormat(language);
  }

  heading(isAlone: boolean): string {
    const { length } = this.digest.items;
    return isAlone ? this.wording.one : this.wording.several(this.number.format(length), length === 1);
  }

  parts(isAlone: boolean): Part[] {
    const { items, hasMore, subscription, organization } = this.digest;
    const { summary, items: title, more, inNext, why, see } = this.wording;
    const listed = items.slice(0, MOST_LISTED);
    const rest = items.length - listed.length;
    const commands = listCommandsOf(items, organization.slug).map((command) => `${see}: ${command}`);
    return [
      ...(isAlone ? [] : [{ title: summary, blocks: [this.totals()] }]),
      { ...(!isAlone && { title }), blocks: listed.map((item) => this.item(item)) },
      ...(rest > 0 ? [{ blocks: [[`… ${more(this.number.format(rest))}`, ...commands]] }] : []),
      ...(hasMore ? [{ blocks: [[inNext]] }] : []),
      { blocks: [[why(subscription, replaceUnprintable(organization.name))]] },
    ];
  }

  private totals(): string[] {
    return totalsOf(this.digest.items).map(({ code, count, sums }) => {
      const amounts = sums.map((sum) => this.money(sum)).join(' + ');
      return `${this.number.format(count)} × ${code}${amounts === '' ? '' : `: ${amounts}`}`;
    });
  }

  private item(item: OpenItem): string[] {
    const [happened, toDo] = this.wording.codes[saidCode(item.code)];
    const { since, amount, differing } = item;
    const facts = [
      ...(amount !== null && !amount.isZero ? [this.money(amount)] : []),
      ...(differing
        ? [this.wording.differences(this.number.format(differing.count), differing.count === 1)]
        : []),
      ...(item.code.startsWith('rule-') ? [item.code] : []),
      `${this.wording.since} ${plainSpaces(this.when.format(since))}`,
    ];
    return [
      replaceUnprintable(`${this.about(item)}: ${happened} (${facts.join(', ')})`),
      `${this.wording.toDo}: ${toDo}`,
      `${this.wording.see}: ${replaceUnprintable(commandOf(item, this.digest.organization.slug))}`,
    ];
  }

  /** What it is about, as a person finds it. */
  private about({ businessKey, source, id }: OpenItem): string {
    const { source: sourceWord, delivery } = this.wording;
    if (businessKey !== null) return shownKey(businessKey);
    return source === null ? `${delivery} ${id}` : `${sourceWord} ${source}, ${delivery} ${id}`;
  }

  private money(amount: Money): string {
    const format = new Intl.NumberFormat(this.language, { style: 'currency', currency: amount.currency });
    return plainSpaces(format.format(amount.toString() as Intl.StringNumericLiteral));
  }
}

function saidCode(code: string): SaidCode {
  if (code === DEAD_LETTER || code === BOOKS_INCOMPLETE) return code;
  return ATTENTION_CODES.find((known) => known === code) ?? 'rule';
}

function asText(heading: string, parts: readonly Part[]): string {
  const paragraphs = parts.map(({ title, blocks }) => {
    const texts = blocks.map((lines) => lines.join('\n  ')).join('\n\n');
    return title === undefined ? texts : `${title}\n\n${texts}`;
  });
  return `${[heading, ...paragraphs].join('\n\n')}\n`;
}

function asHtml(heading: string, parts: readonly Part[], language: Language): string {
  const body = parts.map(({ title, blocks }) => {
    const head = title === undefined ? '' : `<h2>${escaped(title)}</h2>\n`;
    return head + blocks.map((lines) => `<p>${lines.map(escaped).join('<br>\n')}</p>`).join('\n');
  });
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(heading)}</title></head><body>`,
    `<h1>${escaped(heading)}</h1>`,
    ...body,
    '</body></html>\n',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** As people type them: what `Intl` writes cannot be searched for. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}
