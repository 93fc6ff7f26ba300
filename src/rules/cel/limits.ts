/** What an expression may cost, in one place. */

/** Characters of one expression. */
export const MAX_SOURCE = 2_000;

/** The parser's own limits: they keep recursion far from the stack's end. */
export const PARSER_LIMITS = {
  maxAstNodes: 500,
  maxDepth: 24,
  maxListElements: 100,
  maxMapEntries: 1,
  maxCallArguments: 4,
} as const;

/** Longest list an event may bring; a longer one is refused when it is touched. */
export const MAX_LIST = 500;

/** Most elements a step is done for with `forEach`; an event that brings more is refused. */
export const MAX_EACH = 100;

/** Longest text an event may bring, in UTF-16 units; a longer one is refused when it is touched. */
export const MAX_TEXT = 5_000;

/** Most instalments one amount is split into, as the finance interface has it. */
export const MAX_INSTALMENTS = 120;

/** Largest estimate taken for one expression: about a tenth of a second of one core at the very worst. */
export const EXPRESSION_BUDGET = 2_000_000;

/** Largest sum of estimates over all expressions of one rule. */
export const RULE_BUDGET = 4_000_000;

/**
 * Largest sum of estimates over all rules of an organization that listen to one event: two rules at their limit, or some
 * forty thousand like the one that comes with the product. About half a second of one core at the very worst.
 */
export const EVENT_BUDGET = 8_000_000;
