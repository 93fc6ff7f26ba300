import type { Block } from './pages';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** A moment that the service's clock set. A day, which a client names, has neither milliseconds nor `Z`. */
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** An API key; pages show none that is whole. */
const KEY = /ponte_[\w-]{43}/g;
/** A cursor of the feed. It may end with a hyphen, which no end of a word follows. */
const CURSOR = /(?<![\w-])AQAAAA[\w-]{22}(?![\w-])/g;

/** What has no other name: a SHA-256, and in the business key of a customer what stands for the document. */
const DIGEST = /\b[0-9a-f]{64}\b|(?<=\bcustomer\/document\/)[0-9a-f]{32}\b/g;

/** A reply as far as it is the same in every run. */
interface ComparableReply {
  at: string;
  reply: unknown;
}

/**
 * Makes the replies of a page comparable with those of a run: what differs from run to run becomes a placeholder,
 * line breaks between the elements of JSON and XML do not count, and everything else stays. A UUID or a cursor becomes
 * its number among the page's, so that the same one has to come back wherever the page shows it again.
 */
export function comparable(replies: readonly Pick<Block, 'at' | 'language' | 'text'>[]): ComparableReply[] {
  const seen: string[] = [];
  const numbered = (name: string): string => {
    if (!seen.includes(name)) seen.push(name);
    return `name ${seen.indexOf(name) + 1}`;
  };
  return replies.map(({ at, language, text }) => {
    const same = text
      .replace(UUID, numbered)
      .replace(CURSOR, numbered)
      .replace(DIGEST, numbered)
      .replace(INSTANT, 'instant')
      .replace(KEY, 'ponte_…');
    return { at, reply: read(language, same) };
  });
}

/** What is not JSON after all stays text, and differs. */
function read(language: string, text: string): unknown {
  if (language === 'xml') return text.replace(/>\s*</g, '>\n<').trim();
  if (language !== 'json') return text.trim();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
