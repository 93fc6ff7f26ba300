import { CalendarDate } from '../../kernel/calendar-date';
import { beginningOf } from '../instant';
import { listRequest, notification, wrapLine } from '../mapping/listed';
import type { AboutPage, ImportedWebhook, ListedItem, Period, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';
import { readCharge } from './charge';
import { asaasHeaders } from './fetches';

/** Payments of a page: Asaas gives 100 at most. */
const PAGE = 100;
/** Payments of an answer that are read, should Asaas give more than it was asked for. */
const MOST_PAYMENTS = 1_000;
/** The zone of Asaas's days. */
const ZONE = 'America/Sao_Paulo';

/** The day by which payments are asked for: first those that were received, then those that were made and not received yet. */
type Pass = 'paymentDate' | 'dateCreated';

/** Of a payment that was received: when Asaas received it, else when the buyer paid. */
const RECEIVED_ON = ['paymentDate', 'clientPaymentDate', 'confirmedDate'];

/**
 * The payments that were received or made on days that ended in the period. Asaas says days alone: what is of today may be of
 * this minute, and its webhook under way. What a day has does not change once it ended, so that no page is skipped.
 */
export const asaasList: ProviderList = {
  has: 'states',
  missingSetting: () => undefined,
  request(place, period, access) {
    const { pass, offset } = placeOf(place);
    const { first, last } = daysOf(period, zoneOf(access.settings));
    const query = new URLSearchParams({
      ...{ [`${pass}[ge]`]: first.toString(), [`${pass}[le]`]: last.toString() },
      ...{ limit: String(PAGE), offset: String(offset) },
    });
    return listRequest('payments', '/v3/payments', query, asaasHeaders(access));
  },
  read({ body }, about) {
    const answer = Payload.parse(body);
    if (!answer.has('data')) answer.missing('data');
    const { pass, offset } = placeOf(about.place);
    const items = answer.items('data', MOST_PAYMENTS).flatMap((payment) => listed(payment, pass, about));
    if (answer.flag('hasMore')) return { items, next: `${pass} ${offset + PAGE}` };
    return pass === 'paymentDate' ? { items, next: 'dateCreated 0' } : { items };
  },
};

function placeOf(text = 'paymentDate 0'): { pass: Pass; offset: number } {
  const [pass, offset] = text.split(' ');
  return { pass: pass === 'dateCreated' ? 'dateCreated' : 'paymentDate', offset: Number(offset) };
}

function zoneOf(settings: Settings): string {
  return textSetting(settings, 'timeZone') ?? ZONE;
}

/** The days that ended in the period; where none did, one that has not begun: of it there is nothing. */
function daysOf({ from, to }: Period, zone: string): { first: CalendarDate; last: CalendarDate } {
  const first = CalendarDate.fromInstant(from, zone);
  const today = CalendarDate.fromInstant(to, zone);
  if (first.compare(today) < 0) return { first, last: today.addDays(-1) };
  const tomorrow = today.addDays(1);
  return { first: tomorrow, last: tomorrow };
}

/** None where its day has not ended, or there is nothing to book. @throws UnreadablePayload */
function listed(payment: Payload, pass: Pass, { period, settings }: AboutPage): ListedItem[] {
  const zone = zoneOf(settings);
  const { id, status, isPaid, isAwaited, isDeleted } = readCharge(payment, { source: '', timeZone: zone });
  const isOther = pass === 'dateCreated' && payment.has('paymentDate');
  if (isOther || !(isPaid || isAwaited || isDeleted)) return [];
  const day = dayOf(payment, pass, zone);
  const changedAt = beginningOf(day, { timeZone: zone }) ?? payment.fail(pass, 'is before 1970');
  if (day.compare(CalendarDate.fromInstant(period.to, zone)) >= 0) return [];
  const line = notification({ object: 'payment', id, status, [pass]: day.toString() });
  const webhook = importAsaasLine(line) ?? payment.missing('id');
  return [{ webhook, changedAt, entity: `order/${id}` }];
}

function dayOf(payment: Payload, pass: Pass, zone: string): CalendarDate {
  const names = pass === 'paymentDate' ? RECEIVED_ON : [pass];
  const name = names.find((one) => payment.has(one)) ?? payment.missing(pass);
  return payment.day(name, zone) ?? payment.missing(name);
}

/**
 * Of a payment as the API gives it: an event that names it, with the payment in it as it is in Asaas's own. The payment is
 * fetched as it is now.
 * @throws UnreadablePayload
 */
export function importAsaasLine(line: Buffer): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('event') || record.textIfAny('object') !== 'payment') return undefined;
  return { body: wrapLine('{"event":"PAYMENT_UPDATED","payment":', line, '}') };
}
