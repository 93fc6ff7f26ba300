import { notification } from '../mapping/listed';
import type { ImportedWebhook, ListedItem, ListPage, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { flagSetting, isWithoutSales } from '../settings';
import { elementsOfMember } from '../top-level-member';
import { isAwaited } from './awaited';
import { entityOf } from './beside-shop';
import { mercadoPagoHeaders } from './fetch-back';
import { isPaid, operationBesidesSales } from './order';
import { orderNameOf } from './order-id';
import { SIGNED_ID } from './verify';

export const COMPARE_PAYMENTS = 'comparePayments';
/** Payments of a page: Mercado Pago gives 30 where nothing is asked for, and says of no most. */
const PAGE = 100;
/** Whose payments are asked for, and behind how many of them the page begins. */
const PLACE = /^(\d+):(\d+)$/;

/**
 * The payments of the account that changed since, by their number, the highest first. There is no end of the period in it: one
 * that changes while pages are asked for stays in the list, and a new one moves others to a later page, where they come again.
 * The list has what the account paid too, so that the account itself is asked for first.
 */
export const mercadoPagoList: ProviderList = {
  has: 'states',
  missingSetting: (settings) =>
    flagSetting(settings, COMPARE_PAYMENTS) || isWithoutSales(settings) ? undefined : COMPARE_PAYMENTS,
  request(place, { from }, access) {
    const shared = { headers: mercadoPagoHeaders(access), answers: [] };
    if (place === undefined) return { ...shared, name: 'account', path: '/users/me' };
    const [account, offset] = partsOf(place);
    const query = new URLSearchParams({
      ...{ sort: 'id', criteria: 'desc', 'collector.id': account },
      ...{ range: 'date_last_updated', begin_date: from.toISOString(), end_date: 'NOW' },
      ...{ limit: String(PAGE), offset },
    });
    return { ...shared, name: 'payments', path: `/v1/payments/search?${query.toString()}` };
  },
  read({ body }, { place, timeZone, settings }) {
    const page = Payload.parse(body);
    if (place === undefined) {
      const account = page.identifier('id') ?? page.missing('id');
      return /^\d+$/.test(account)
        ? { items: [], next: `${account}:0` }
        : page.fail('id', 'is not the number of an account');
    }
    return readPayments(body, page, place, { timeZone, withoutSales: isWithoutSales(settings) });
  },
};

/** How payments of the list are read. */
interface About {
  readonly timeZone: string;
  readonly withoutSales: boolean;
}

function partsOf(place: string): [account: string, offset: string] {
  const [, account = '', offset = ''] = PLACE.exec(place) ?? [];
  return [account, offset];
}

/** Its last page is an empty one: how many there are in all changes from answer to answer. */
function readPayments(body: Buffer, page: Payload, place: string, about: About): ListPage {
  const payments = elementsOfMember(body, 'results') ?? page.missing('results');
  const [account, offset] = partsOf(place);
  const items = payments.flatMap((line) => {
    const payment = Payload.parse(line);
    if (!isOfAccount(payment, account)) return [];
    const isWanted = about.withoutSales
      ? isPaid(payment)
      : payment.textIfAny('external_reference') !== undefined && bringsEvents(payment);
    return isWanted ? [listed(line, payment, about)] : [];
  });
  return payments.length === 0
    ? { items }
    : { items, next: `${account}:${Number(offset) + payments.length}` };
}

/**
 * Whether the account received it: a sale of Mercado Livre is another source's. Of those, a shop asked for the ones that have a number
 * of its own; money that somebody only moved here has none.
 */
function isOfAccount(payment: Payload, account: string): boolean {
  const collector = payment.identifier('collector_id') ?? payment.loosely('collector').identifier('id');
  return (
    (collector ?? payment.missing('collector_id')) === account &&
    payment.loosely('order').textIfAny('type') !== 'mercadolibre'
  );
}

/** Whether anything would be known by its order afterwards: what makes no event would be fetched each time, and count as missed. */
function bringsEvents(payment: Payload): boolean {
  if (operationBesidesSales(payment) !== undefined) return false;
  // One that was cancelled after it was approved asks a person.
  const isDoubtful = payment.word('status') === 'cancelled' && payment.has('date_approved');
  return isPaid(payment) || (isAwaited(payment) && !isDoubtful);
}

/** @throws UnreadablePayload */
function listed(line: Buffer, payment: Payload, { timeZone, withoutSales }: About): ListedItem {
  const changedAt = payment.instant('date_last_updated', timeZone) ?? payment.missing('date_last_updated');
  return {
    webhook: importMercadoPagoLine(line),
    changedAt,
    ...(withoutSales
      ? // Notifications come for one application alone, and this is about all of the account.
        { entity: entityOf(payment), onlyListed: true }
      : { entity: `order/${orderNameOf(payment).id}` }),
  };
}

/**
 * A notification as it was sent, or of a payment as the API gives it the notification that names it. The address of both
 * names the same.
 * @throws UnreadablePayload
 */
export function importMercadoPagoLine(line: Buffer): ImportedWebhook {
  const record = Payload.parse(line);
  if (record.has('type')) {
    const named = record.loosely('data').identifier('id');
    return { ...(named !== undefined && { query: { [SIGNED_ID]: named } }), body: line };
  }
  if (!record.has('transaction_amount')) record.fail('type', 'is missing, and it is no payment either');
  const id = record.identifier('id') ?? record.missing('id');
  return { query: { [SIGNED_ID]: id }, body: notification({ type: 'payment', data: { id } }) };
}
