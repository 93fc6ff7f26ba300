import { Problem } from '../../../kernel/problem';
import { recordName } from './record-name';

/** What came of one item of a batch: its value, or the problem it is refused with. A refusal is no exception. */
export type Outcome<T> = T | Problem;

export function isRefused<T>(outcome: Outcome<T>): outcome is Problem {
  return outcome instanceof Problem;
}

/** The only outcome of a batch of one. @throws Problem when it is a refusal */
export function single<T>(outcomes: readonly Outcome<T>[]): T {
  const [outcome] = outcomes;
  if (outcome === undefined || outcomes.length !== 1) throw new Error('a batch of one has one outcome');
  if (isRefused(outcome)) throw outcome;
  return outcome;
}

/** What somebody made up as a code; people's names have spaces or accents, most of them both. */
const CODE = /^[\w./-]{1,60}$/;
/** A CPF or CNPJ without punctuation, whether or not its check digits are right. */
const TAX_ID = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/i;

/**
 * How a sentence names a record that is not there: by its code, for an identifier says nothing to anybody. A rule may
 * have made the code of what an event says, so one that could be about a person is not repeated.
 */
export function called(what: string, name: string): string {
  const { code } = recordName(name);
  const isShown = code !== undefined && CODE.test(code) && !TAX_ID.test(code.replace(/\W/g, ''));
  // Most accounts have a name alone, which is what people write in its place.
  if (what === 'account' && code !== undefined)
    return `no account with ${isShown ? `the code ${code}` : 'such a code'}: one without a code is named by its UUID`;
  return isShown ? `no ${what} ${code}` : `no such ${what}`;
}
