/** What the feed says of one kind of change. `docs/feed.md` shows this table; a test compares the two. */
interface Description {
  /** The kind of record, as `subject` names it. */
  readonly subject: string;
  /** When it is appended. */
  readonly means: string;
  /** What `data` contains. */
  readonly data: string;
}

/** Every kind of change in the feed. A name stays for ever. */
export const CHANGE_TYPES = {
  'customer.created': {
    subject: 'customer',
    means: 'A customer was registered; one that was found by its document is not announced again',
    data: 'the customer, in the form of operation 19',
  },
  'customer.updated': {
    subject: 'customer',
    means:
      'A customer was changed through `/v1`, or a document that came with a later event of an order was filled in',
    data: 'the customer, in the form of operation 19',
  },
  'credit-schedule.created': {
    subject: 'credit-schedule',
    means: 'A receivable was created: announced once for each instalment or occurrence',
    data: 'the schedule, in the form of operation 13',
  },
  'debit-schedule.created': {
    subject: 'debit-schedule',
    means: 'A payable was registered by an operator, or was found in the finance service',
    data: 'the schedule, in the form of operation 11',
  },
  'receipt.registered': {
    subject: 'receipt',
    means: 'Money was received, for a schedule or directly on an account',
    data: 'the entry, in the form of operation 12',
  },
  'discount.registered': {
    subject: 'discount',
    means: 'A receipt that closes a schedule wrote off what was still open',
    data: 'the entry, in the form of operation 12',
  },
  'payment.registered': {
    subject: 'payment',
    means: 'Money was paid, for a schedule or directly from an account',
    data: 'the entry, in the form of operation 12',
  },
  'payment.deleted': {
    subject: 'payment',
    means: 'A payment was taken back: its schedule is open again',
    data: 'the entry as it was, in the form of operation 12',
  },
  'transfer.made': {
    subject: 'transfer',
    means: 'Money moved between two accounts',
    data: 'the body of operation 7, with `entryId`',
  },
  'account.created': {
    subject: 'account',
    means: 'An account was opened',
    data: 'the account, in the form of operation 16',
  },
  'account.updated': {
    subject: 'account',
    means: 'An account was changed',
    data: 'the account, in the form of operation 16',
  },
  'account.removed': {
    subject: 'account',
    means: 'An account is no longer listed',
    data: 'the account as it was last seen, in the form of operation 16',
  },
  'balance.changed': {
    subject: 'account',
    means: 'The balance of an account is another than the one announced before, or the account is new',
    data: 'the balance, in the form of operation 15, with `balanceBefore` where there was one',
  },
  'cost-center.created': {
    subject: 'cost-center',
    means: 'A cost center was made',
    data: 'the cost center, in the form of operation 14',
  },
  'cost-center.updated': {
    subject: 'cost-center',
    means: 'A cost center was changed',
    data: 'the cost center, in the form of operation 14',
  },
  'cost-center.removed': {
    subject: 'cost-center',
    means: 'A cost center is no longer listed',
    data: 'the cost center as it was last seen, in the form of operation 14',
  },
  'schedule.paid': {
    subject: 'schedule',
    means: 'Nothing of a receivable or payable is open any more, whoever settled it',
    data: 'the schedule, in the form of operation 11',
  },
  'schedule.reopened': {
    subject: 'schedule',
    means: 'A receivable or payable was paid and is open again',
    data: 'the schedule, in the form of operation 11',
  },
  'schedule.changed': {
    subject: 'schedule',
    means:
      'A remote service’s schedule differs from what was last seen: value, dates, texts, whom or what it is for, or what is open',
    data: 'the schedule, in the form of operation 11',
  },
  'schedule.overdue': {
    subject: 'schedule',
    means: 'A schedule is open and was due before today: announced once for each due date',
    data: 'a payable in the form of operation 11, a receivable in that of operation 12',
  },
  'schedule.removed': {
    subject: 'schedule',
    means: 'A receivable or payable is no longer listed',
    data: 'the schedule as it was last seen, in the form of operation 11',
  },
  'attention.required': {
    subject: 'attention',
    means: 'Nothing failed, but a person must decide: money was left over or went back, or an amount differs',
    data: '`code`, `detail`, `value` as decimal text, and `currency`',
  },
  'completeness.checked': {
    subject: 'source',
    means:
      'The orders, payouts, chargebacks and bills that a source says were made this month, up to yesterday, were compared with the books: once a day where there are any',
    data: '`source`, `from`, `to`, `asOf`, `orders`, `payouts`, `disputes`, `bills`, `differences`, `repairable`, `codes` with a `count` each, and `totals` of the shop and the books by `aspect`, as decimal text, with their `currency`',
  },
} as const satisfies Record<string, Description>;

export type ChangeType = keyof typeof CHANGE_TYPES;

/** What a connector knows the record by: its kind and identifier. */
export function subjectOf(type: ChangeType, recordId: string): string {
  return `${CHANGE_TYPES[type].subject}/${recordId}`;
}

export function isChangeType(text: string): text is ChangeType {
  return Object.hasOwn(CHANGE_TYPES, text);
}
