import type { OpenAPIObject } from '@nestjs/swagger';

/** What the operations of a tag are about. */
const TAGS: Readonly<Record<string, string>> = {
  Accounts: 'Where money is, balances, and transfers between accounts',
  Attention: 'Nothing failed, but a person must act',
  Audit: 'Who changed what, when and why',
  Banks: 'Banks that accounts are at',
  Categories: 'What money is earned with and spent on, and the groups of that',
  'Cost centers': 'Which part of the company earns and spends',
  Customers: 'Who owes the company',
  'Dead letters': 'Deliveries that failed and need a person',
  Deliveries: 'What came in and what came of it',
  Effects: 'What was asked of a remote finance service',
  Entries: 'The ledger, movement by movement',
  Extensions: 'What is served beside the nineteen operations of the finance interface',
  Feed: 'Changes of the books in the order of their commit, for connectors',
  'Finance service': 'How a remote finance service is reached',
  Keys: 'API keys of an organization',
  Operation: 'Health and metrics of the process',
  Organizations: 'Companies whose books are kept apart',
  Payables: 'What the company owes, and its payment',
  Payments: 'Money that leaves',
  Receipts: 'Money that comes in',
  Rules: 'What is done when something happens, and the tables that rules read',
  Schedules: 'What is due, and when',
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
