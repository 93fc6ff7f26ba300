export const ATTENTION_CODES = [
  'payment-left-over',
  'amount-differs',
  'refund-not-booked',
  'cancellation-not-booked',
  'edit-not-booked',
  'settlement-not-booked',
  'payout-not-booked',
  'payout-differs',
  'dispute-not-booked',
  'returned-twice',
  'fee-not-booked',
  'movement-not-booked',
  'bill-not-booked',
  'store-credit-not-booked',
  'order-differs',
  'dated-ahead',
  'key-shared',
  'customer-differs',
  'customer-not-updated',
  'content-differs',
  'step-refused',
  'approval-required',
  'deferred-refused',
  'notification-failed',
  'source-silent',
  'source-failing',
  'source-near-switch-off',
  'source-switched-off',
  'webhooks-not-registered',
  'privacy-export-asked',
  'privacy-erase-asked',
  'privacy-shop-erase-asked',
  'privacy-erasure-waits',
] as const;

/** A code that a rule gives: `rule-` and lower-case words with hyphens. */
export type RuleCode = `rule-${string}`;

/** What {@link isRuleCode} takes, for people. */
export const RULE_CODE_FORM = '`rule-` and lower-case words with hyphens, 60 characters at most';

const RULE_CODE = /^rule(-[a-z][a-z0-9]*)+$/;
const MOST_OF_CODE = 60;

export function isRuleCode(code: string): code is RuleCode {
  return code.length <= MOST_OF_CODE && RULE_CODE.test(code);
}

/** Something a person must look at although nothing failed: money left over, an amount that changed. */
export interface Attention {
  code: (typeof ATTENTION_CODES)[number] | RuleCode;
  /** A sentence for a person, with amounts. */
  detail: string;
  /** Decimal text of the amount in question. */
  amount: string;
  /** Absent: the organization's. */
  currency?: string;
}
