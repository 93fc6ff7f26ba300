import { Problem } from '../kernel/problem';
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

/** A problem with one field of a body: one sentence, for the client's developer and for whoever wrote a rule. */
export function unacceptable(pointer: string, code: string, sentence: string): Problem {
  return new Problem('validation-failed', sentence, { errors: [{ pointer, code, message: sentence }] });
}

/** How a sentence names a record that is not there: by its code, for an identifier says nothing to anybody. */
export function called(what: string, name: string): string {
  const { code } = recordName(name);
  return code === undefined ? `no such ${what}` : `no ${what} ${code}`;
}
