import type { ConsoleLandmarks } from './landmarks';

/** What a page of the console asks of the operators' API, below the organization. */
export interface ConsoleRequest {
  /** The page, and what is chosen on it. */
  name: string;
  path: (landmarks: ConsoleLandmarks) => string;
  /** Where the pages that follow are, if elsewhere. */
  next?: (landmarks: ConsoleLandmarks) => string;
  /** What is sent; absent: it is a GET. */
  body?: (landmarks: ConsoleLandmarks) => object;
  /** Why it takes longer where there is more on a day; absent: it is held to the goal. */
  grows?: string;
}

type Values = Readonly<Record<string, string>>;

function list(
  name: string,
  path: string,
  values: Values | ((landmarks: ConsoleLandmarks) => Values) = {},
): ConsoleRequest {
  return {
    name,
    path: (landmarks) => {
      const query = new URLSearchParams(typeof values === 'function' ? values(landmarks) : values).toString();
      return query === '' ? path : `${path}?${query}`;
    },
  };
}

/** A page that takes longer where there is more on a day. @param grows why */
function growing(grows: string, request: ConsoleRequest): ConsoleRequest {
  return { ...request, grows };
}

const OF_DAY = 'counts what came in and what was booked on one day';
const OF_ACCOUNT = "puts an account's entries of one day in order";
const NAMES = 'goes through the names of customers until the page is full';

const ofDay = ({ day }: ConsoleLandmarks): Values => ({
  source: 'shopify',
  ...{ from: day, to: day, limit: '200' },
});

function search(name: string, text: (landmarks: ConsoleLandmarks) => string): ConsoleRequest {
  return {
    name: `search: ${name}`,
    path: () => 'search',
    body: (landmarks) => ({ text: text(landmarks) }),
  };
}

/** Every list and page of the console, in the order of its menu. */
export const CONSOLE_REQUESTS: readonly ConsoleRequest[] = [
  growing(OF_DAY, list('today', 'overview')),
  growing(
    OF_DAY,
    list('a day in the middle', 'overview', ({ day }) => ({ date: day })),
  ),
  growing(
    OF_DAY,
    list('payments of a day', 'overview/payments', ({ day }) => ({ date: day, gateway: 'pagarme' })),
  ),
  list('needs a person: webhooks', 'dead-letters', { needsPerson: 'true' }),
  list('needs a person: calls', 'effects', { state: 'unknown' }),
  list('needs a person: attention', 'attention'),
  list('needs a person: approvals', 'approvals', { state: 'waiting' }),
  list('approvals, approved', 'approvals', { state: 'approved' }),
  list('approvals, declined', 'approvals', { state: 'declined' }),
  list('needs a person: later days', 'deferred-effects', { state: 'refused' }),
  list('webhooks', 'deliveries'),
  list('webhooks that are done', 'deliveries', { state: 'done' }),
  list('webhooks that wait', 'deliveries', { state: 'waiting' }),
  list('webhooks of a source', 'deliveries', { source: 'shopify' }),
  list('webhooks of a topic', 'deliveries', { topic: 'orders/paid' }),
  list('webhooks of a topic that never came', 'deliveries', { topic: 'orders/never' }),
  list('webhooks of an order', 'deliveries', ({ businessKey }) => ({ businessKey })),
  list('webhooks of a day', 'deliveries', ({ day }) => ({
    from: `${day}T00:00:00-03:00`,
    to: `${day}T23:59:59-03:00`,
  })),
  list('dead webhooks of a topic', 'deliveries', { state: 'dead', topic: 'orders/paid' }),
  { name: 'a webhook', path: ({ delivery }) => `deliveries/${delivery}` },
  { name: 'a dead webhook', path: ({ deadDelivery }) => `deliveries/${deadDelivery}` },
  list('an order', 'timeline', ({ businessKey }) => ({ key: businessKey })),
  search('an order', ({ businessKey }) => businessKey),
  search('a number of an order', ({ businessKey }) => businessKey.split('/').at(-1) ?? ''),
  search('a document', ({ document }) => document),
  search('an e-mail', ({ email }) => email),
  search('an e-mail of nobody', () => 'nobody@example.org'),
  search('a number of nothing', () => '#999999999'),
  search('an identifier', ({ schedule }) => schedule),
  list('accounts', 'books/accounts'),
  growing(OF_ACCOUNT, { name: 'an account', path: ({ account }) => `books/accounts/${account}/entries` }),
  growing(OF_ACCOUNT, {
    name: 'an account on a day',
    path: ({ account, day }) => `books/accounts/${account}/entries?from=${day}&to=${day}`,
  }),
  ...['open', 'overdue', 'paid', 'all'].map((state) =>
    list(`receivables, ${state}`, 'books/receivables', { state }),
  ),
  list('receivables due in a month', 'books/receivables', ({ firstDay, lastDay }) => ({
    state: 'all',
    ...{ from: firstDay, to: lastDay },
  })),
  list('receivables of a customer', 'books/receivables', ({ customer }) => ({ state: 'all', customer })),
  list('customers', 'books/customers'),
  growing(
    NAMES,
    list('customers by name', 'books/customers', ({ name }) => ({ search: name })),
  ),
  growing(NAMES, list('customers of a name that nobody has', 'books/customers', { search: 'Ninguém' })),
  list('customers by document', 'books/customers', ({ document }) => ({ search: document })),
  { name: 'a customer', path: ({ customer }) => `books/customers/${customer}` },
  growing('compares every order of the period', {
    ...list('completeness of a day', 'completeness', ofDay),
    next: list('what differs', 'completeness/differing', ofDay).path,
  }),
  list('rules', 'rules'),
  list('a rule', 'rules/order-paid'),
  list('versions of a rule', 'rules/order-paid/versions'),
  list('tables', 'tables'),
  list('sources', 'sources'),
  list('a source', 'sources/shopify'),
  list('providers', 'providers'),
  list('receivers of messages', 'notifications/endpoints'),
  list('subscriptions', 'notifications/subscriptions'),
  list('keys', 'keys'),
  list('organization', ''),
  list('what is kept', 'retention'),
  list('audit log', 'audit'),
  list('audit log, one action', 'audit', { action: 'rule.put' }),
  list('audit log, one action that nobody did', 'audit', { action: 'privacy.erase' }),
  list('audit log, one subject', 'audit', ({ delivery }) => ({ subject: delivery })),
  list('audit log, one key', 'audit', ({ actor }) => ({ actor })),
  list('audit log, one action of one key on a day', 'audit', ({ actor, day }) => ({
    ...{ actor, action: 'rule.put' },
    from: `${day}T00:00:00-03:00`,
  })),
];
