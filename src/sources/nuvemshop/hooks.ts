import { isGone } from '../fetched';
import { boundPages, jsonBody, listedHooks, neededText } from '../hook-pages';
import type { ChangeRequest, HookRegistration, WantedHook } from '../hook-registration';
import { textSetting } from '../settings';
import type { FetchAccess, FetchedAnswer, FetchRequest } from '../source';
import { headersOf } from './fetches';

const PAGE = 200;
const ORDER_EVENTS = ['created', 'pending', 'paid', 'voided', 'edited', 'cancelled', 'updated'];
const CUSTOMER_EVENTS = ['created', 'updated'];
const TOPICS = [
  ...ORDER_EVENTS.map((event) => `order/${event}`),
  ...CUSTOMER_EVENTS.map((event) => `customer/${event}`),
];

/** Nuvemshop has a webhook for each event, lists those of the app, and signs with the app's secret. */
export const nuvemshopHooks: HookRegistration = {
  hookFor: 'each-topic',
  secret: 'of-account',
  topics: () => TOPICS,
  unready: (settings) =>
    textSetting(settings, 'storeId') === undefined
      ? { name: 'storeId', message: 'must be the number of the store' }
      : undefined,
  list,
  read: (answers) =>
    answers.flatMap((answer) =>
      pageOf(answer).map((place) => ({
        id: neededText(place, 'id'),
        address: place.text('url') ?? '',
        topics: [place.text('event') ?? ''],
        enabled: true,
      })),
    ),
  create: (access, wanted) => change(access, 'POST', '', wanted),
  repair: (access, { id }, wanted) => change(access, 'PUT', `/${encodeURIComponent(id)}`, wanted),
};

function list(access: FetchAccess, answers: readonly FetchedAnswer[]): FetchRequest | undefined {
  const last = answers.at(-1);
  if (last && pageOf(last).length < PAGE) return undefined;
  boundPages(answers.length);
  const page = answers.length + 1;
  const path = `${pathOf(access)}?per_page=${PAGE}&page=${page}`;
  return { name: `webhooks ${page}`, path, headers: headersOf(access), answers: [404] };
}

/** Nuvemshop answers 404 where a page of a list is empty. */
function pageOf(answer: FetchedAnswer): ReturnType<typeof listedHooks> {
  return isGone(answer) ? [] : listedHooks(answer.body, PAGE);
}

function pathOf({ settings }: FetchAccess): string {
  return `/v1/${encodeURIComponent(textSetting(settings, 'storeId') ?? '')}/webhooks`;
}

function change(
  access: FetchAccess,
  method: 'POST' | 'PUT',
  below: string,
  { topics: [event], address }: WantedHook,
): ChangeRequest {
  const body = jsonBody({ event, url: address });
  return { method, path: `${pathOf(access)}${below}`, headers: headersOf(access), body };
}
