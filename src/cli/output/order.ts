import { isObject } from '../../kernel/json-object';
import { type TableStyle, listAt, tableLines } from './table';
import { type Fields, inWords, valueAt } from './values';

const COLUMNS = ['at', 'kind', 'what', 'value', 'state', 'note'];

/** What happened to an order or payout as a person reads it: the sums, and a line for each thing that happened. */
export function orderLines(timeline: unknown, style: TableStyle): string[] {
  if (!isObject(timeline)) return [];
  const sum = (name: string): string => inWords(valueAt(timeline, `summary.${name}`));
  const currency = inWords(timeline['currency']);
  return [
    `${inWords(timeline['key'])}, amounts in ${currency}, customer ${words(valueAt(timeline, 'summary.customer.name'), sum('customer.id'))}`,
    `${isThere(valueAt(timeline, 'summary.number')) ? `number ${sum('number')}, ` : ''}total ${sum('total')}, received ${sum('received')}, refunded ${sum('refunded')}, open ${sum('open')}`,
    ...(timeline['complete'] === false ? ['There is more than is shown, which is the newest of it.'] : []),
    ...tableLines(COLUMNS, listAt(timeline, 'items').map(rowOf), style),
  ];
}

/** @param item of a kind that is not known here: it is shown without what is its own */
function rowOf(item: Fields): Fields {
  const { at, kind } = item;
  return { at, kind, ...(ROWS[inWords(kind)]?.(item) ?? {}) };
}

const ROWS: Readonly<Record<string, (item: Fields) => Fields>> = {
  webhook: ({ source, topic, state, outcome, reason, delivery, repeats }) => ({
    what: words(source, topic),
    state,
    note: notes(outcome ?? reason, sentAgain(repeats), delivery),
  }),
  run: ({ rule, version, event, state, reason }) => ({
    what: words(rule, `version ${inWords(version)}`),
    state,
    note: notes(event, reason),
  }),
  effect: ({ operation, value, state, reason, key }) => ({
    what: operation,
    value,
    state,
    note: notes(reason, key),
  }),
  entry: ({ type, value, date, description, account, fromAccount }) => ({
    what: type,
    value,
    note: notes(date, valueAt(fromAccount, 'name'), valueAt(account, 'name'), description),
  }),
  attention: ({ code, value, detail, resolvedAt }) => ({
    what: code,
    value,
    state: resolvedAt ? 'resolved' : 'open',
    note: detail,
  }),
  approval: ({ rule, step, state, reason, effect }) => ({
    what: words(rule, step),
    state,
    note: notes(reason, effect),
  }),
  audit: (item) => ({
    what: item['action'],
    note: notes(item['reason'], ...listAt(item, 'runs').map(stoodBefore), item['subject']),
  }),
  feed: ({ type, subject }) => ({ what: type, note: subject }),
};

function stoodBefore(run: Fields): string {
  const steps = listAt(run, 'steps').map(({ id, state }) => words(id, state));
  return `before: ${inWords(run['rule'])} version ${inWords(run['version'])} (${steps.join(', ')})`;
}

function sentAgain(times: unknown): string {
  if (!times) return '';
  return times === 1 ? 'sent again once' : `sent again ${inWords(times)} times`;
}

/** Those that are there, as one name. */
function words(...parts: readonly unknown[]): string {
  return parts.filter(isThere).map(inWords).join(' ');
}

/** Those that are there, each for itself. */
function notes(...parts: readonly unknown[]): string {
  return parts.filter(isThere).map(inWords).join('; ');
}

function isThere(part: unknown): boolean {
  return part !== null && part !== undefined && part !== '';
}
