import { Problem } from '../kernel/problem';

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

/** A problem with one field; the sentence names the field by its pointer. */
export function unacceptable(pointer: string, code: string, message: string): Problem {
  return new Problem('validation-failed', `${pointer.slice(1)} ${message}`, {
    errors: [{ pointer, code, message }],
  });
}
