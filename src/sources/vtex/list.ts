import { notification } from '../mapping/listed';
import type {
  AboutLine,
  AboutPage,
  ImportedWebhook,
  ListedItem,
  ListPage,
  Period,
  ProviderList,
} from '../missed-webhooks';
import { Payload, UnreadablePayload } from '../payload';
import { vtexHeaders } from './fetch-back';
import { CHANGED } from './notification';
import { accountOf } from './settings';

/** Orders of a page, and pages of a list: VTEX gives no more. */
const PER_PAGE = 100;
const MOST_PAGES = 30;
/** Orders of an answer that are read, should VTEX give more than it was asked for. */
const MOST_ORDERS = 1_000;

const WAITING = 'payment-pending';
/** In the names of ways to pay that the buyer pays after ordering. */
const PAID_LATER = /boleto|pix/i;

/** What is asked for: first the orders that were approved in the period, then those that were made in it and wait. */
type Pass = 'approved' | 'made';

/** Where a page begins, as a text: `made 3`, `made 1 2026-08-01T10:00:00.000Z`. */
interface Place {
  readonly pass: Pass;
  readonly page: number;
  /** Orders from this time of their making on, in ISO 8601; undefined: all. */
  readonly madeFrom: string | undefined;
}

/**
 * The orders of the account that were approved or made in a period, in the order in which they were made: that does not change
 * while pages are asked for. VTEX cannot be asked for orders that changed, and does not say in its list when they did.
 */
export const vtexList: ProviderList = {
  has: 'states',
  missingSetting: (settings) => (accountOf(settings) === undefined ? 'account' : undefined),
  request(place, period, access) {
    const { pass, page, madeFrom } = placeOf(place);
    const filters = filtersOf(pass, madeFrom, period);
    const query = { ...filters, orderBy: 'creationDate,asc', page: String(page), per_page: String(PER_PAGE) };
    const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return {
      name: 'orders',
      path: `/api/oms/pvt/orders?${parts.join('&')}`,
      headers: vtexHeaders(access),
      answers: [],
    };
  },
  read({ body }, about) {
    const answer = Payload.parse(body);
    if (!answer.has('list')) answer.missing('list');
    const orders = answer.items('list', MOST_ORDERS);
    const place = placeOf(about.place);
    const next = nextPlace(place, orders, about);
    const read = orders.filter(place.pass === 'approved' ? costsMoney : waitsForBuyer);
    return { items: read.map((order) => listed(order, place.pass, about)), ...next };
  },
};

function placeOf(text = 'approved 1'): Place {
  const [pass, page, madeFrom] = text.split(' ');
  return { pass: pass === 'made' ? 'made' : 'approved', page: Number(page), madeFrom };
}

function filtersOf(pass: Pass, madeFrom: string | undefined, { from, to }: Period): Record<string, string> {
  const end = to.toISOString();
  const start = madeFrom ?? from.toISOString();
  const made = { f_creationDate: `creationDate:[${start} TO ${end}]` };
  if (pass === 'made') return made;
  return {
    f_authorizedDate: `authorizedDate:[${from.toISOString()} TO ${end}]`,
    ...(madeFrom !== undefined && made),
  };
}

/**
 * The page after a full one; after the last one that VTEX gives, the list goes on with the orders that were made since the last of
 * them, which comes again.
 * @throws UnreadablePayload where more were made at one time than VTEX gives
 */
function nextPlace(
  { pass, page, madeFrom }: Place,
  orders: readonly Payload[],
  { timeZone }: AboutPage,
): Pick<ListPage, 'next'> {
  const last = orders.at(-1);
  if (last === undefined || orders.length < PER_PAGE) return pass === 'approved' ? { next: 'made 1' } : {};
  if (page < MOST_PAGES) return { next: [pass, page + 1, madeFrom ?? []].flat().join(' ') };
  const since = timeOf(last, 'creationDate', timeZone).toISOString();
  if (since === madeFrom)
    throw new UnreadablePayload(`more than ${PER_PAGE * MOST_PAGES} orders were made at one time`);
  return { next: `${pass} 1 ${since}` };
}

/** Whether there is something to book once it is approved: notifications of an order that is free are set aside. */
function costsMoney(order: Payload): boolean {
  return order.text('totalValue') !== '0';
}

/** Whether an order waits for a boleto or Pix: of one that waits for its card there is nothing to book. */
function waitsForBuyer(order: Payload): boolean {
  return order.text('status') === WAITING && PAID_LATER.test(order.textIfAny('paymentNames') ?? '');
}

/** @throws UnreadablePayload */
function listed(order: Payload, pass: Pass, { settings, timeZone }: AboutPage): ListedItem {
  const field = pass === 'approved' ? 'authorizedDate' : 'creationDate';
  const orderId = order.identifier('orderId') ?? order.missing('orderId');
  const changedAt = timeOf(order, field, timeZone);
  const line = notification({ orderId, lastChange: order.text(field) });
  const webhook = importVtexLine(line, { settings }) ?? order.missing('orderId');
  return { webhook, changedAt, entity: `order/${orderId}` };
}

function timeOf(order: Payload, field: string, timeZone: string): Date {
  return order.instant(field, timeZone) ?? order.missing(field);
}

/**
 * Of an order as the API gives it, in a list or by itself: a notification that it changed. It is known by when it last did.
 * @throws UnreadablePayload
 */
export function importVtexLine(line: Buffer, { settings }: AboutLine): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  const id = record.text('orderId');
  if (id === undefined) return undefined;
  const changedAt = record.text('lastChange') ?? record.text('creationDate') ?? record.missing('lastChange');
  const body = {
    OrderId: id,
    State: CHANGED[0],
    LastChange: changedAt,
    Origin: { Account: accountOf(settings) },
  };
  return { body: notification(body) };
}
