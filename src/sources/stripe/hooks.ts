import { boundPages, neededText } from '../hook-pages';
import type { ChangeRequest, HookRegistration, RegisteredHook, WantedHook } from '../hook-registration';
import { Payload, UnreadablePayload } from '../payload';
import { isWithoutSales, textSetting } from '../settings';
import type { FetchAccess, FetchedAnswer, FetchRequest, SettingProblem, Settings } from '../source';
import { stripeHeaders } from './api';

const PATH = '/v1/webhook_endpoints';
const PAGE = 100;
/** What the setting `endpointEvents` may be. */
const ALL = 'all';
/** Events of a sale and its refunds, which the shop may send to Ponte itself. */
const SALES = ['charge.succeeded', 'charge.captured', 'charge.refunded'];
/** No shop says that a refund came to nothing afterwards. */
const OTHERS = [
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'payout.paid',
  'payout.failed',
  'invoice.paid',
];
/** An endpoint for every event has it in the place of them all. */
const EVERY_EVENT = '*';

/** Stripe has an endpoint for all events, and makes its secret itself. */
export const stripeHooks: HookRegistration = {
  hookFor: 'all-topics',
  secret: 'answered',
  topics: (settings) => (hasSales(settings) ? [...SALES, ...OTHERS] : OTHERS),
  unwantedTopics: (settings) => (hasSales(settings) ? [] : [...SALES, EVERY_EVENT]),
  unready: (settings) =>
    isWithoutSales(settings) || textSetting(settings, 'endpointEvents') !== undefined
      ? undefined
      : {
          name: 'endpointEvents',
          message:
            'must be all, for sales and the rest; set withoutSales instead where the shop that takes the payments sends webhooks to Ponte itself, or each sale would be booked twice',
        },
  list,
  read: (answers) => answers.flatMap(({ body }) => itemsOf(Payload.parse(body)).map(hookOf)),
  create: (access, wanted) => change(access, PATH, wanted, { description: 'Ponte' }),
  repair: (access, { id }, wanted) =>
    change(access, `${PATH}/${encodeURIComponent(id)}`, wanted, { disabled: 'false' }),
  createsOnce: true,
  readSecret: (answer) => Payload.parse(answer).text('secret'),
};

/** What is wrong with `endpointEvents`; undefined: nothing, or it is not set. */
export function checkEndpointEvents(settings: Settings): SettingProblem | undefined {
  const chosen = textSetting(settings, 'endpointEvents');
  return chosen === undefined || chosen === ALL
    ? undefined
    : { name: 'endpointEvents', message: `must be ${ALL}` };
}

/** Whether sales are booked by what Stripe says of them, and not by what the shop says. */
export function hasSales(settings: Settings): boolean {
  return !isWithoutSales(settings);
}

function list(access: FetchAccess, answers: readonly FetchedAnswer[]): FetchRequest | undefined {
  const last = answers.at(-1);
  const body = last && Payload.parse(last.body);
  if (body && !body.flag('has_more')) return undefined;
  boundPages(answers.length);
  const newest = body && itemsOf(body).at(-1);
  if (body && !newest) throw new UnreadablePayload('$.has_more says that there is more behind an empty page');
  const after = newest ? `&starting_after=${encodeURIComponent(neededText(newest, 'id'))}` : '';
  const path = `${PATH}?limit=${PAGE}${after}`;
  return {
    name: `endpoints ${answers.length + 1}`,
    path,
    headers: stripeHeaders(access),
    answers: [],
  };
}

function itemsOf(body: Payload): readonly Payload[] {
  if (!body.has('data')) throw new UnreadablePayload('$.data is missing');
  return body.items('data', PAGE);
}

function hookOf(place: Payload): RegisteredHook {
  const events = place.texts('enabled_events');
  return {
    id: neededText(place, 'id'),
    address: place.text('url') ?? '',
    topics: events.includes(EVERY_EVENT) ? [...events, ...SALES, ...OTHERS] : events,
    enabled: place.text('status') === 'enabled',
  };
}

function change(
  access: FetchAccess,
  path: string,
  { address, topics, key }: WantedHook,
  more: Readonly<Record<string, string>>,
): ChangeRequest {
  const form = new URLSearchParams({ url: address, ...more });
  const events = topics.includes(EVERY_EVENT) ? [EVERY_EVENT] : topics;
  for (const event of events) form.append('enabled_events[]', event);
  return {
    method: 'POST',
    path,
    headers: { ...stripeHeaders(access), 'idempotency-key': key },
    body: { contentType: 'application/x-www-form-urlencoded', text: form.toString() },
  };
}
