import type { OpenAPIObject } from '@nestjs/swagger';

/** What the operations of a tag are about. */
const TAGS: Readonly<Record<string, string>> = {
  Accounts: 'Where money is, balances, and transfers between accounts',
  Approvals: 'What rules want done that an operator has to agree to',
  Attention: 'Nothing failed, but a person must act',
  Audit: 'Who changed what, when and why',
  Backup: 'The embedded database as one file',
  Banks: 'Banks that accounts are at',
  Books: 'The books as they are, for reading, whoever keeps them',
  Categories: 'What money is earned with and spent on, and the groups of that',
  Completeness: 'Whether all that a shop sold is in the books',
  Privacy: 'A copy of what is stored of a person, and its erasure',
  'Cost centers': 'Which part of the company earns and spends',
  Customers: 'Who owes the company',
  'Dead letters': 'Deliveries that failed and need a person',
  'Deferred effects': 'What is applied after its delivery: on a later day, or outside of Ponte',
  Deliveries: 'What came in and what came of it',
  Effects: 'What was asked of a remote finance service',
  Entries: 'The ledger, movement by movement',
  Extensions: 'What is served beside the nineteen operations of the finance interface',
  Feed: 'Changes of the books in the order of their commit, for connectors',
  'Finance service': 'How a remote finance service is reached',
  Keys: 'API keys of an organization',
  Notifications: 'Addresses that rules may send signed messages to',
  Operation: 'Health and metrics of the process',
  Orders: 'What happened to one order or payout',
  Organizations: 'Companies whose books are kept apart',
  Overview: 'The day at a glance, what happens now, and a search over all of it',
  Payables: 'What the company owes, and its payment',
  Payments: 'Money that leaves',
  Receipts: 'Money that comes in',
  Rules: 'What is done when something happens, and the tables that rules read',
  Schedules: 'What is due, and when',
  Session: 'Signing in to the console with a key',
  Sources: 'Shops and ERPs that send webhooks',
  Suppliers: 'Whom the company owes',
  Webhooks: 'Where shops and ERPs send what happened',
};

/** Describes the tags that operations of the document have, by name. */
export function addTags(document: OpenAPIObject): void {
  const used = Object.values(document.paths).flatMap((item) =>
    Object.values(item as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
  );
  document.tags = [...new Set(used)].sort().map((name) => ({ name, description: TAGS[name] ?? '' }));
}
