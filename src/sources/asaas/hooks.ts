import { boundPages, jsonBody, neededText } from '../hook-pages';
import type { ChangeRequest, HookRegistration, RegisteredHook, WantedHook } from '../hook-registration';
import { Payload, UnreadablePayload } from '../payload';
import { textSetting } from '../settings';
import type { FetchAccess, FetchedAnswer, FetchRequest } from '../source';
import { asaasHeaders } from './fetches';

const PATH = '/v3/webhooks';
const PAGE = 100;
const EVENTS = [
  ...['CREATED', 'UPDATED', 'CONFIRMED', 'RECEIVED', 'ANTICIPATED', 'OVERDUE', 'DELETED', 'RESTORED'],
  ...['AUTHORIZED', 'AWAITING_RISK_ANALYSIS', 'APPROVED_BY_RISK_ANALYSIS', 'REPROVED_BY_RISK_ANALYSIS'],
  ...['CREDIT_CARD_CAPTURE_REFUSED', 'RECEIVED_IN_CASH_UNDONE', 'REFUNDED', 'REFUND_IN_PROGRESS'],
  ...['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL'],
  ...['DUNNING_RECEIVED', 'DUNNING_REQUESTED'],
].map((event) => `PAYMENT_${event}`);

/** Asaas has a webhook for all events, and shows the token that it was given. */
export const asaasHooks: HookRegistration = {
  hookFor: 'all-topics',
  secret: 'given',
  topics: () => EVENTS,
  unready: (settings) =>
    textSetting(settings, 'noticeEmail') === undefined
      ? {
          name: 'noticeEmail',
          message: 'must be an e-mail address, to which Asaas writes when a webhook fails',
        }
      : undefined,
  list,
  read: (answers) => answers.flatMap(({ body }) => itemsOf(Payload.parse(body)).map(hookOf)),
  create: (access, wanted) => change(access, 'POST', PATH, wanted),
  repair: (access, { id }, wanted) => change(access, 'PUT', `${PATH}/${encodeURIComponent(id)}`, wanted),
};

function list(access: FetchAccess, answers: readonly FetchedAnswer[]): FetchRequest | undefined {
  const last = answers.at(-1);
  if (last && !Payload.parse(last.body).flag('hasMore')) return undefined;
  boundPages(answers.length);
  const path = `${PATH}?limit=${PAGE}&offset=${answers.length * PAGE}`;
  return { name: `webhooks ${answers.length + 1}`, path, headers: asaasHeaders(access), answers: [] };
}

function itemsOf(body: Payload): readonly Payload[] {
  if (!body.has('data')) throw new UnreadablePayload('$.data is missing');
  return body.items('data', PAGE);
}

function hookOf(place: Payload): RegisteredHook {
  const isStopped = place.flag('interrupted');
  return {
    id: neededText(place, 'id'),
    address: place.text('url') ?? '',
    topics: place.texts('events'),
    enabled: place.flag('enabled') && !isStopped,
    ...(isStopped && { problem: 'Asaas stopped its queue, as it does after fifteen failures in a row' }),
  };
}

function change(
  access: FetchAccess,
  method: 'POST' | 'PUT',
  path: string,
  { address, topics, secret }: WantedHook,
): ChangeRequest {
  const body = jsonBody({
    ...{ name: 'Ponte', url: address, email: textSetting(access.settings, 'noticeEmail') },
    ...{ enabled: true, interrupted: false, apiVersion: 3, authToken: secret },
    ...{ sendType: 'SEQUENTIALLY', events: topics },
  });
  return { method, path, headers: asaasHeaders(access), body };
}
