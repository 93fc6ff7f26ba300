import { isObject } from '../../kernel/json-object';
import { type TableStyle, listAt, tableLines } from './table';
import { type Fields, inWords, valueAt } from './values';

const COLUMNS = ['order', 'what', 'operation', 'value', 'applied', 'date', 'rule', 'about'];

/** A backtest as a person reads it: what was compared, the totals, then each order that differs. */
export function backtestLines(backtest: unknown, style: TableStyle): string[] {
  if (!isObject(backtest)) return [];
  const rows = listAt(backtest, 'items').flatMap(rowsOf);
  const notListed = backtest['notListed'];
  return [
    ...summaryLines(backtest),
    ...tableLines(['kind', 'operation', 'count', 'value'], totalsOf(backtest), style),
    ...tableLines(COLUMNS, rows, style),
    ...(typeof notListed === 'number' && notListed > 0
      ? [
          '',
          `${notListed} more orders differ and are not listed: take a shorter period, or a higher --limit.`,
        ]
      : []),
    ...apartLines(backtest, style),
  ];
}

function summaryLines(backtest: Fields): string[] {
  const number = (path: string): string => inWords(valueAt(backtest, path));
  const from = number('from');
  return [
    `Deliveries received from ${from} until before ${number('to')}: ${number('deliveries.read')},`,
    `of which ${number('deliveries.compared')} were compared, ${number('deliveries.waiting')} wait, ` +
      `${number('deliveries.dead')} are dead letters, ${number('deliveries.discarded')} were given up, ` +
      `${number('deliveries.bodiesGone')} have no body any more.`,
    `Orders: ${number('orders.compared')} compared, ${number('orders.differing')} differ. ` +
      `Refusals: ${number('refusals')}.`,
  ];
}

function totalsOf(backtest: Fields): Fields[] {
  const currency = inWords(backtest['currency']);
  return listAt(backtest, 'totals').map((total) => ({
    ...total,
    value: `${inWords(total['value'])} ${currency}`,
  }));
}

function rowsOf(item: Fields): Fields[] {
  const order = item['businessKey'];
  const effects = listAt(item, 'effects').map((effect) => ({
    ...effect,
    ...{ order, what: effect['kind'], about: aboutOf(effect) },
  }));
  const refused = listAt(item, 'refused').map((one) => ({
    ...one,
    ...{ order, what: 'refused', about: one['reason'] },
  }));
  return [...effects, ...refused];
}

/** What a person is to do, what differs, or else the key. */
function aboutOf({ content, advice, key }: Fields): string {
  const differs = Array.isArray(content) && content.length > 0 ? `${content.join('; ')}. ` : '';
  return typeof advice === 'string' ? differs + advice : differs + inWords(key);
}

function apartLines(backtest: Fields, style: TableStyle): string[] {
  const kinds = [
    ['waiting', 'These wait and were not compared:'],
    ['dead', 'These are dead letters and were not compared:'],
    ['bodiesGone', 'These have no body any more and cannot be compared:'],
  ] as const;
  return kinds.flatMap(([name, title]) => {
    const items = listAt(backtest, name);
    const table = tableLines(['id', 'receivedAt', 'businessKey', 'reason'], items, style);
    return items.length === 0 ? [] : ['', title, ...table.slice(1)];
  });
}
