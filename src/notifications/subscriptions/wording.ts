import type { ATTENTION_CODES } from '../../finance/api/effects/attention';
import type { BOOKS_INCOMPLETE, DEAD_LETTER } from './topics';

/** What is said of a code: what happened, and what a person does about it. Each is one sentence with its full stop. */
export type Saying = readonly [happened: string, toDo: string];

export type SaidCode =
  (typeof ATTENTION_CODES)[number] | 'rule' | typeof DEAD_LETTER | typeof BOOKS_INCOMPLETE;

/** The words of one language. None repeats what a shop or a customer wrote. */
export interface Wording {
  /** By code; `rule`: whatever a rule raises. */
  readonly codes: Readonly<Record<SaidCode, Saying>>;
  /** Heads one message about several items. @param count items, as people write the number */
  readonly several: (count: string, isOne: boolean) => string;
  /** Heads a message about one item. */
  readonly one: string;
  readonly summary: string;
  readonly items: string;
  /** Follows the items where not all are listed. */
  readonly more: (count: string) => string;
  /** Where more wait than one message tells of. */
  readonly inNext: string;
  readonly toDo: string;
  readonly see: string;
  readonly since: string;
  readonly source: string;
  readonly delivery: string;
  readonly differences: (count: string, isOne: boolean) => string;
  /** Ends each message. @param name of the subscription */
  readonly why: (name: string, organization: string) => string;
}
