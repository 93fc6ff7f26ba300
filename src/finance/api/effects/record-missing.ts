import { Problem } from '../../../kernel/problem';
import { RECORD_MISSING } from './effect';

/** What an effect finds is not there: its result is refused with the code `record-missing`. */
export class RecordMissing extends Problem {
  /** The code of the effect's result. */
  readonly refusal = RECORD_MISSING;

  /** @param sentence for a person, without personal data */
  constructor(sentence: string) {
    super('not-found', sentence);
  }
}

/** The code with which an effect is refused for a problem. */
export function refusalCode(problem: Problem): string {
  return problem instanceof RecordMissing ? problem.refusal : problem.code;
}
