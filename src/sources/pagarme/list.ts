import { MOST_PAYMENTS } from '../../events/limits';
import { listRequest, notification, wrapLine } from '../mapping/listed';
import { latest } from '../mapping/order-events';
import type { ImportedWebhook, ListedItem, ListPage, Period, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { isWithoutSales } from '../settings';
import type { FetchAccess, FetchRequest } from '../source';
import { elementsOfMember } from '../top-level-member';
import { currencyOf, PAID_LATER, saysPaid } from './charge';
import { pagarmeHeaders } from './fetch-back';
import { nameOf } from './hook';
import { AVAILABLE, entityOf, isAvailable, MOVEMENT, readMovement } from './movement';
import { ZONE } from './operations';
import { IN_VAIN } from './payment';

/** Orders or operations of a page: Pagar.me gives 10 where nothing is asked for, and says of no most. */
const PAGE = 100;
/** How long before the period an order may have been made that changes in it, in milliseconds: seven days. */
const BEFORE_MS = 7 * 86_400_000;

/**
 * The orders that changed in the period, of those that were made in it or in the week before: Pagar.me can only be asked for when they
 * were made. What it lists so does not change while pages are asked for. Its last page is an empty one, because it may give
 * fewer than it was asked for. Of a source without sales the operations of the balance, of which no webhook tells.
 */
export const pagarmeList: ProviderList = {
  has: 'states',
  missingSetting: () => undefined,
  request(place = '1', { from, to }, access) {
    if (isWithoutSales(access.settings)) return statementRequest(place, { from, to }, access);
    const query = new URLSearchParams({
      ...{ created_since: utc(from.getTime() - BEFORE_MS), created_until: utc(to.getTime() + 999) },
      ...{ page: place, size: String(PAGE) },
    });
    return listRequest('orders', '/orders', query, pagarmeHeaders(access));
  },
  read({ body }, { place = '1', period, settings }) {
    const page = Payload.parse(body);
    if (isWithoutSales(settings)) return readStatement(page, place);
    const orders = elementsOfMember(body, 'data') ?? page.missing('data');
    const items = orders.flatMap((order) => listed(order) ?? []);
    const changed = items.filter(({ changedAt }) => changedAt >= period.from);
    return orders.length === 0 ? { items: [] } : { items: changed, next: String(Number(place) + 1) };
  },
};

function statementRequest(place: string, { from, to }: Period, access: FetchAccess): FetchRequest {
  const query = new URLSearchParams({
    ...{ created_since: utc(from.getTime()), created_until: utc(to.getTime() + 999) },
    ...{ status: AVAILABLE, page: place, size: String(PAGE) },
  });
  return listRequest('operations', '/balance/operations', query, pagarmeHeaders(access));
}

/** @throws UnreadablePayload */
function readStatement(page: Payload, place: string): ListPage {
  if (!page.has('data')) page.missing('data');
  const movements = page.items('data').map(readMovement);
  const items = movements.filter(isAvailable).map((movement): ListedItem => {
    const { id, at: changedAt } = movement;
    return { webhook: aboutMovement(id), changedAt, entity: entityOf(movement), onlyListed: true };
  });
  return movements.length === 0 ? { items } : { items, next: String(Number(place) + 1) };
}

function aboutMovement(id: string): ImportedWebhook {
  return { body: notification({ type: MOVEMENT, data: { id } }) };
}

/** @returns undefined for an order of which no event comes @throws UnreadablePayload */
function listed(line: Buffer): ListedItem | undefined {
  const order = Payload.parse(line);
  const { id } = nameOf(order, 'order') ?? order.missing('id');
  const charges = order.items('charges', MOST_PAYMENTS);
  const ownChange = order.instant('updated_at', ZONE) ?? order.missing('updated_at');
  const changedAt = latest([ownChange, ...charges.map((charge) => charge.instant('updated_at', ZONE))]);
  const webhook = importPagarmeLine(line);
  if (webhook === undefined || !bringsEvents(order, charges)) return undefined;
  return { webhook, changedAt: changedAt ?? ownChange, entity: `order/${id}` };
}

/** Whether anything would be known of the order afterwards: what makes no event would count as missed each time. */
function bringsEvents(order: Payload, charges: readonly Payload[]): boolean {
  const currency = currencyOf(order);
  return (
    order.word('status') === 'canceled' ||
    charges.some((charge) => saysPaid(charge, currency) || isAwaited(charge))
  );
}

function isAwaited(charge: Payload): boolean {
  const status = charge.word('status') ?? '';
  return PAID_LATER.includes(charge.word('payment_method') ?? '') && ['pending', ...IN_VAIN].includes(status);
}

/** To the second. */
function utc(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** What Pagar.me's API calls orders and charges by, and webhooks about them. */
const RECORDS: Readonly<Record<string, string>> = { or_: 'order.updated', ch_: 'charge.updated' };

/**
 * Of an order or charge as the API gives it, or of an operation of the balance: a webhook that names it. It is fetched as it is now.
 * @throws UnreadablePayload
 */
export function importPagarmeLine(line: Buffer): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('movement_object')) return aboutMovement(record.identifier('id') ?? record.missing('id'));
  if (record.has('type') || record.has('data')) return undefined;
  const type = RECORDS[(record.textIfAny('id') ?? '').slice(0, 3)];
  return type === undefined ? undefined : { body: wrapLine(`{"type":"${type}","data":`, line, '}') };
}
