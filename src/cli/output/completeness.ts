import { isObject } from '../../kernel/json-object';
import { type TableStyle, listAt, tableLines } from './table';
import { type Fields, inWords, valueAt } from './values';

const SIDE_BY_SIDE = [
  'what',
  'shop',
  'shop sum',
  'booked',
  'booked sum',
  'in books',
  'books sum',
  'later',
  'later sum',
  'difference',
];
const DIFFERENCES = ['order', 'day', 'what', 'expected', 'found', 'cause'];

/** What the aspects of a report are called side by side. */
const NAMES: Readonly<Record<string, string>> = {
  schedule: 'orders',
  receipt: 'payments',
  refund: 'refunds',
  fee: 'fees',
  payout: 'payouts',
  chargeback: 'chargebacks',
  'chargeback-won': 'chargebacks won',
  bill: 'bills',
  other: 'other',
};

/** A report of completeness as a person reads it: the sums side by side, what explains them, then each difference. */
export function completenessLines(report: unknown, style: TableStyle): string[] {
  if (!isObject(report)) return [];
  return [
    ...summaryLines(report),
    ...tableLines(SIDE_BY_SIDE, listAt(report, 'totals').map(sideBySide), style),
    ...apartLines(report),
    ...differingLines(report, style),
    ...unattachedLines(report, style),
    '',
    `Differences: ${inWords(report['differences'])}. A repair works on ${inWords(report['repairable'])} deliveries again.`,
  ];
}

/** The differences that a report or a list of them has, and where the list goes on. */
export function differingLines(listed: unknown, style: TableStyle): string[] {
  if (!isObject(listed)) return [];
  const { after } = listed;
  return [
    ...tableLines(DIFFERENCES, listAt(listed, 'items').flatMap(rowsOf), style),
    ...(typeof after === 'string' ? ['', `More orders differ: --after ${after}`] : []),
  ];
}

function summaryLines(report: Fields): string[] {
  const number = (path: string): string => inWords(valueAt(report, path));
  const { obstacle } = isObject(report['list']) ? report['list'] : {};
  const since = report['knownSince'];
  return [
    `What ${number('source')} says was made from ${number('from')} to ${number('to')} (${number('timeZone')}), in ${number('currency')}:`,
    `${number('entities.orders')} orders, ${number('entities.payouts')} payouts, ${number('entities.disputes')} chargebacks and ${number('entities.bills')} bills, of which ${number('entities.tests')} are tests and ${number('entities.differing')} differ.`,
    ...(typeof obstacle === 'string'
      ? [`Orders may be missing here that no webhook brought: ${obstacle}.`]
      : []),
    ...(typeof since === 'string'
      ? [`Orders of which nothing was worked on since ${since} are not in it.`]
      : []),
  ];
}

function sideBySide(totals: Fields): Fields {
  const at = (path: string): unknown => valueAt(totals, path);
  return {
    what: NAMES[inWords(totals['aspect'])] ?? totals['aspect'],
    ...{ shop: at('shop.count'), 'shop sum': at('shop.value') },
    ...{ booked: at('booked.count'), 'booked sum': at('booked.value') },
    ...{ 'in books': at('inBooks.count'), 'books sum': at('inBooks.value') },
    ...{ later: at('later.count'), 'later sum': at('later.value') },
    difference: totals['difference'],
  };
}

function apartLines(report: Fields): string[] {
  const said: Readonly<Record<string, string>> = {
    'not-booked': 'no rule books it',
    'given-up': 'a person gave it up',
    declined: 'an operator declined it',
    discarded: 'a person discarded its delivery',
  };
  const apart = listAt(report, 'apart');
  return apart.length === 0
    ? []
    : [
        '',
        'Why sums differ where nothing is wrong:',
        ...apart.map(({ why, count, value }) => {
          const sentence = said[inWords(why)] ?? inWords(why);
          return `  ${sentence}: ${inWords(count)} times, ${inWords(value)}`;
        }),
      ];
}

function rowsOf(item: Fields): Fields[] {
  return listAt(item, 'differences').map((difference) => ({
    ...difference,
    ...{ order: item['businessKey'], day: item['day'] },
    what: [difference['aspect'], difference['code']].filter((word) => typeof word === 'string').join(' '),
  }));
}

function unattachedLines(report: Fields, style: TableStyle): string[] {
  const rows = listAt(report, 'unattached');
  const table = tableLines(['delivery', 'receivedAt', 'businessKey', 'code', 'cause'], rows, style);
  return rows.length === 0 ? [] : ['', 'Messages about orders that are not known yet:', ...table.slice(1)];
}
