import type { Wording } from './wording';

const COMPARE = 'Compare the order with the shop and correct the books by hand.';
const SWITCHED = 'Read why the last webhooks failed in the status of the source, and mend it.';

export const ENGLISH: Wording = {
  codes: {
    'payment-left-over': [
      'A payment was larger than what was open; the rest is booked nowhere.',
      'Find out what the rest was for and enter it by hand.',
    ],
    'amount-differs': ['An order came again with another amount; the books have the first.', COMPARE],
    'refund-not-booked': [
      'Money went back to a customer, and no rule booked it.',
      'Enter the refund by hand.',
    ],
    'cancellation-not-booked': [
      'A paid order was cancelled without a refund, and no rule booked that.',
      COMPARE,
    ],
    'edit-not-booked': ['An order was edited after money came, and no rule booked that.', COMPARE],
    'settlement-not-booked': [
      'An acquirer paid an instalment, and no rule booked it.',
      'Enter the receipt by hand.',
    ],
    'payout-not-booked': ['A gateway paid out, and no rule booked it.', 'Enter the transfer by hand.'],
    'payout-differs': [
      'The lines of a payout do not come to what reached the bank.',
      'Compare the payout with the bank statement.',
    ],
    'dispute-not-booked': [
      'A buyer had a payment taken back, and no rule booked it.',
      'Enter the chargeback by hand.',
    ],
    'returned-twice': [
      'An order was refunded, and the buyer had its payment taken back as well.',
      'Send the gateway the refund as evidence against the chargeback.',
    ],
    'fee-not-booked': ['A gateway kept a fee, and no rule booked it.', 'Enter the payment by hand.'],
    'movement-not-booked': ['A gateway moved money, and no rule booked it.', 'Enter it by hand.'],
    'bill-not-booked': [
      'A bill of a supplier was paid in the ERP, and no rule booked it.',
      'Enter the payment by hand.',
    ],
    'store-credit-not-booked': [
      'A gift card, store credit or points were used, which no account received or paid.',
      'Settle by hand what is open on the receivable.',
    ],
    'order-differs': ['Numbers in an order disagree.', COMPARE],
    'dated-ahead': [
      'Money is dated more than a week ahead, and is in no balance before that day.',
      'Compare the day with the bank statement; where it is wrong, correct it in the books.',
    ],
    'key-shared': [
      'Two rules use one key for different things, and only one was done.',
      'Give one of them another key.',
    ],
    'customer-differs': [
      'A later event of an order names another customer.',
      'Enter the customer by hand if that one is right.',
    ],
    'customer-not-updated': [
      'The shop changed a customer, and the finance service has no operation that changes it.',
      'Enter the change in the finance service.',
    ],
    'content-differs': ['An order came again with other content; the books have the first.', COMPARE],
    'step-refused': [
      'A step of a rule was refused, and the rule went on without it.',
      'Do by hand what it should have done, or mend the cause and replay the delivery.',
    ],
    'approval-required': ['A rule waits for an approval.', 'Approve or decline it (ponte approvals list).'],
    'deferred-refused': [
      'A part that was deferred to a day was refused on it.',
      'Mend the cause and try it again, or give it up (ponte deferred list).',
    ],
    'notification-failed': [
      'A message could not be delivered.',
      'Correct the address or its receiver, then try it again (ponte deferred list).',
    ],
    'source-silent': [
      'A source that usually sends is quiet.',
      'Check whether the shop has orders that Ponte does not have, and whether its webhook is switched on.',
    ],
    'source-failing': [
      'Most of what a source sent within an hour was refused for its signature.',
      "Add the shop's new secret.",
    ],
    'source-near-switch-off': ['A provider is about to switch off the webhook of a source.', SWITCHED],
    'source-switched-off': [
      'A provider has probably switched off the webhook of a source.',
      `${SWITCHED} Then switch it on again at the provider.`,
    ],
    'webhooks-not-registered': [
      'A provider does not have the webhooks that a source needs.',
      'Register them (ponte sources connect).',
    ],
    'privacy-export-asked': [
      'A shop asks for what is stored of a customer.',
      'Make the copy and send it to the shop (ponte privacy export).',
    ],
    'privacy-erase-asked': [
      'A shop asks that a customer be erased.',
      'Erase the customer (ponte privacy erase).',
    ],
    'privacy-shop-erase-asked': [
      'A shop was closed, or removed the app, and asks that its data be erased.',
      'Decide which customers have to go, and erase each (ponte privacy erase).',
    ],
    'privacy-erasure-waits': [
      'The erasure of a person cannot go on.',
      'Read for what it waits, and settle that (ponte privacy erasures).',
    ],
    rule: ['A rule asks a person to check.', 'Read what it says in the list, and do that.'],
    'dead-letter': [
      'A delivery could not be worked on.',
      'Read its reason, mend the cause, and retry or discard it.',
    ],
    'books-incomplete': [
      'The books differ from what the shop says.',
      'See the differences, and have them repaired or correct them by hand.',
    ],
  },
  several: (count, isOne) => (isOne ? `${count} matter needs a person` : `${count} matters need a person`),
  one: 'A matter needs a person',
  summary: 'By code',
  items: 'The oldest first',
  more: (count) => `and ${count} more`,
  inNext: 'There are more than one message can have: the next message has the rest.',
  toDo: 'To do',
  see: 'See',
  since: 'since',
  source: 'source',
  delivery: 'delivery',
  differences: (count, isOne) => (isOne ? `${count} difference` : `${count} differences`),
  why: (name, organization) =>
    `The subscription ${name} of ${organization} in Ponte sends this. Each matter is sent once.`,
};
