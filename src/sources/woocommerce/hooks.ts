import { boundPages, jsonBody, listedHooks, neededText } from '../hook-pages';
import type { ChangeRequest, HookRegistration, RegisteredHook, WantedHook } from '../hook-registration';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { FetchAccess, FetchedAnswer, FetchRequest } from '../source';
import { woocommerceHeaders } from './api';

const PATH = '/wp-json/wc/v3/webhooks';
const PAGE = 100;
/** Those that a source takes. */
export const TOPICS = ['order.created', 'order.updated', 'customer.created', 'customer.updated'];

const PROBLEMS: Readonly<Record<string, string>> = {
  disabled: 'WooCommerce switched it off, as it does after five failures in a row',
  paused: 'somebody paused it in the WordPress admin',
};

/** WooCommerce has a webhook for each topic, and signs with the secret that each one was given. */
export const woocommerceHooks: HookRegistration = {
  hookFor: 'each-topic',
  secret: 'given',
  topics: () => TOPICS,
  unready: (settings) =>
    textSetting(settings, 'apiUrl') === undefined
      ? { name: 'apiUrl', message: 'must be the address of the shop, such as https://minhaloja.com.br' }
      : undefined,
  list,
  read: (answers) => answers.flatMap(({ body }) => listedHooks(body, PAGE).map(hookOf)),
  create: (access, wanted) =>
    change(access, 'POST', PATH, {
      name: `Ponte: ${wanted.topics.join(', ')}`,
      topic: wanted.topics[0],
      ...stateOf(wanted),
    }),
  repair: (access, { id }, wanted) =>
    change(access, 'PUT', `${PATH}/${encodeURIComponent(id)}`, stateOf(wanted)),
};

function list(access: FetchAccess, answers: readonly FetchedAnswer[]): FetchRequest | undefined {
  const last = answers.at(-1);
  if (last && listedHooks(last.body, PAGE).length < PAGE) return undefined;
  boundPages(answers.length);
  const page = answers.length + 1;
  const path = `${PATH}?per_page=${PAGE}&page=${page}`;
  return { name: `webhooks ${page}`, path, headers: woocommerceHeaders(access), answers: [] };
}

function hookOf(place: Payload): RegisteredHook {
  const status = place.text('status') ?? '';
  const problem = PROBLEMS[status];
  return {
    id: neededText(place, 'id'),
    address: place.text('delivery_url') ?? '',
    topics: [place.text('topic') ?? ''],
    enabled: status === 'active',
    ...(problem !== undefined && { problem }),
  };
}

function stateOf({ address, secret }: WantedHook): object {
  return { status: 'active', delivery_url: address, secret };
}

function change(access: FetchAccess, method: 'POST' | 'PUT', path: string, content: object): ChangeRequest {
  return { method, path, headers: woocommerceHeaders(access), body: jsonBody(content) };
}
