import { ATTENTION_CODES, isRuleCode, RULE_CODE_FORM } from '../../finance/api/effects/attention';

/** Codes of what is no item of attention. */
export const DEAD_LETTER = 'dead-letter';
export const BOOKS_INCOMPLETE = 'books-incomplete';

/** Words for several codes. */
export const TOPICS = ['attention', 'rules', 'sources', 'dead-letters', 'completeness'] as const;
type Topic = (typeof TOPICS)[number];

/** How many a subscription may name. */
export const MOST_TOPICS = 60;

const OF_SOURCES: readonly string[] = [
  ...['source-silent', 'source-failing', 'source-near-switch-off', 'source-switched-off'],
  'webhooks-not-registered',
];

/** What a person reads where a word is refused. */
export const TOPIC_FORM = `must be ${TOPICS.join(', ')}, a code of attention, or ${RULE_CODE_FORM}`;

/** What is looked for. */
export interface Choice {
  /** Of attention: these codes. */
  readonly codes: readonly string[];
  /** All codes of attention that rules raise. */
  readonly ofRules: boolean;
  readonly deadLetters: boolean;
  readonly completeness: boolean;
}

export function isTopic(word: string): boolean {
  const known: readonly string[] = [...TOPICS, ...ATTENTION_CODES];
  return known.includes(word) || isRuleCode(word);
}

/** @param about topics and codes; empty: everything */
export function choiceOf(about: readonly string[]): Choice {
  const has = (topic: Topic) => about.length === 0 || about.includes(topic);
  const attention = has('attention') ? ATTENTION_CODES.filter((code) => !OF_SOURCES.includes(code)) : [];
  return {
    codes: [...new Set([...attention, ...(has('sources') ? OF_SOURCES : []), ...about.filter(isCode)])],
    ofRules: has('rules') || has('attention'),
    deadLetters: has('dead-letters'),
    completeness: has('completeness'),
  };
}

function isCode(word: string): boolean {
  return !TOPICS.some((topic) => topic === word);
}
