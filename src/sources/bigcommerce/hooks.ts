import { boundPages, jsonBody, neededText } from '../hook-pages';
import type { ChangeRequest, HookRegistration, RegisteredHook, WantedHook } from '../hook-registration';
import { Payload, UnreadablePayload } from '../payload';
import type { FetchAccess, FetchedAnswer, FetchRequest } from '../source';
import { bigcommerceHeaders } from './fetch';
import { storePath } from './notification';

const PAGE = 100;
const TOPICS = ['store/order/*', 'store/customer/*'];

/** BigCommerce has a webhook for each scope, lists those of the API account, and signs with the account's client secret. */
export const bigcommerceHooks: HookRegistration = {
  hookFor: 'each-topic',
  secret: 'of-account',
  topics: () => TOPICS,
  list,
  read: (answers) => answers.flatMap(({ body }) => itemsOf(Payload.parse(body)).map(hookOf)),
  create: (access, wanted) => change(access, 'POST', '', wanted),
  repair: (access, { id }, wanted) => change(access, 'PUT', `/${encodeURIComponent(id)}`, wanted),
};

function list(access: FetchAccess, answers: readonly FetchedAnswer[]): FetchRequest | undefined {
  const last = answers.at(-1);
  if (last && answers.length >= pagesIn(Payload.parse(last.body))) return undefined;
  boundPages(answers.length);
  const page = answers.length + 1;
  const path = `${pathOf(access)}?limit=${PAGE}&page=${page}`;
  return { name: `hooks ${page}`, path, headers: bigcommerceHeaders(access), answers: [] };
}

function itemsOf(body: Payload): readonly Payload[] {
  if (!body.has('data')) throw new UnreadablePayload('$.data is missing');
  return body.items('data', PAGE);
}

function pagesIn(body: Payload): number {
  return Number(body.at('meta').at('pagination').text('total_pages') ?? '1');
}

function hookOf(place: Payload): RegisteredHook {
  return {
    id: neededText(place, 'id'),
    address: place.text('destination') ?? '',
    topics: [place.text('scope') ?? ''],
    enabled: place.flag('is_active'),
  };
}

function pathOf({ settings }: FetchAccess): string {
  return `${storePath(settings)}/v3/hooks`;
}

function change(
  access: FetchAccess,
  method: 'POST' | 'PUT',
  below: string,
  { topics: [scope], address }: WantedHook,
): ChangeRequest {
  const body = jsonBody({ scope, destination: address, is_active: true });
  return { method, path: `${pathOf(access)}${below}`, headers: bigcommerceHeaders(access), body };
}
