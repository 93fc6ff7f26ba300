import { listRequest, notification } from '../mapping/listed';
import type { AboutPage, ListedItem, Period, ProviderList } from '../missed-webhooks';
import { Payload, UnreadablePayload } from '../payload';
import { hotmartHeaders, SALE, SALES } from './fetches';
import { readSale, type Sale } from './sale';

/** Sales of a page: Hotmart's own example has 50, and it does not say how many it gives at most. */
const PAGE = 50;
/** Sales of an answer that are read, should Hotmart give more than it was asked for. */
const MOST_SALES = 1_000;
const DAY_MS = 86_400_000;

/** Hotmart's message about a sale of a status. */
const EVENTS: ReadonlyMap<string, string> = new Map([
  ['APPROVED', 'PURCHASE_APPROVED'],
  ['COMPLETE', 'PURCHASE_COMPLETE'],
  ['PRINTED_BILLET', 'PURCHASE_BILLET_PRINTED'],
  ['WAITING_PAYMENT', 'PURCHASE_BILLET_PRINTED'],
]);

/** One way to ask for sales. */
interface Pass {
  readonly filter: Readonly<Record<string, string>>;
  readonly statuses: readonly string[];
  /**
   * Days before the period in which the sales were ordered that were approved in it; absent: they were ordered in the period.
   */
  readonly daysBefore?: number;
}

const PAID = ['APPROVED', 'COMPLETE'];

/**
 * Hotmart asks by the day of the order: a boleto that is paid later is found among those of the days before. Without a status it has
 * sales that are approved or complete.
 */
const PASSES: readonly Pass[] = [
  { filter: {}, statuses: PAID },
  { filter: { payment_type: 'BILLET' }, statuses: PAID, daysBefore: 10 },
  { filter: { payment_type: 'PIX' }, statuses: PAID, daysBefore: 3 },
  { filter: { transaction_status: 'WAITING_PAYMENT' }, statuses: ['WAITING_PAYMENT'] },
  { filter: { transaction_status: 'PRINTED_BILLET' }, statuses: ['PRINTED_BILLET'] },
];

/** The sales of this shop's own that were ordered in the period, or approved in it. */
export const hotmartList: ProviderList = {
  has: 'states',
  missingSetting: () => undefined,
  request(place, period, access) {
    const { pass, token } = placeOf(place);
    const query = new URLSearchParams({
      ...orderedIn(pass, period),
      ...pass.filter,
      max_results: String(PAGE),
      ...(token !== undefined && { page_token: token }),
    });
    return listRequest('sales', `${SALES}/${SALE}`, query, hotmartHeaders(access));
  },
  read({ body }, about) {
    const answer = Payload.parse(body);
    const { index, pass, token } = placeOf(about.place);
    const info = answer.at('page_info');
    if (!answer.has('items') && !answer.has('page_info')) answer.missing('items');
    const sales = answer.items('items', MOST_SALES).map((item) => readSale(answer, item, { source: '' }));
    const items = sales.flatMap((sale) => listed(sale, pass, about));
    const next = info.text('next_page_token');
    if (next === undefined) return PASSES[index + 1] ? { items, next: String(index + 1) } : { items };
    if (next === token) throw new UnreadablePayload('its next page is the same again');
    return { items, next: `${index} ${next}` };
  },
};

/** @param text the number of a pass, and then the token of a page, `1 eyJw…`; without one it is the first */
function placeOf(text = '0'): { index: number; pass: Pass; token: string | undefined } {
  const [first = '', token] = text.split(' ');
  const index = Number(first);
  const pass = PASSES[index];
  if (pass === undefined) throw new UnreadablePayload('its list has no such page');
  return { index, pass, token };
}

/** In milliseconds since 1970, both ends included. */
function orderedIn({ daysBefore }: Pass, { from, to }: Period): { start_date: string; end_date: string } {
  const [start, end] =
    daysBefore === undefined
      ? [from.getTime(), to.getTime()]
      : [from.getTime() - daysBefore * DAY_MS, from.getTime() - 1];
  return { start_date: String(start), end_date: String(end) };
}

/** None where it is another's sale, is free, or was approved before: nothing is booked of it, or it was compared before. */
function listed(sale: Sale, pass: Pass, { period }: AboutPage): ListedItem[] {
  const { transaction, status, isOwn, isPaid, isAwaited, charged, createdAt, approvedAt } = sale;
  const event = EVENTS.get(status);
  if (event === undefined || !pass.statuses.includes(status)) return [];
  if (!isOwn || !charged.isPositive || !(isPaid || isAwaited)) return [];
  if (pass.daysBefore !== undefined && !(approvedAt && approvedAt >= period.from)) return [];
  const changedAt = isPaid && approvedAt ? approvedAt : createdAt;
  const webhook = { body: notification({ event, data: { purchase: { transaction, status } } }) };
  return [{ webhook, changedAt, entity: `order/${transaction}` }];
}
