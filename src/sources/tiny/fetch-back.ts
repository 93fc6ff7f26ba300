import { isObject } from '../../kernel/json-object';
import { peekJson } from '../identity';
import { formBody } from '../mapping/oauth';
import { Payload, UnreadablePayload } from '../payload';
import { apiUrlOf } from '../settings';
import type { FetchBack, FetchedAnswer, SourceApi, StoredWebhook } from '../source';
import { type Message, numberIn, readMessage } from './message';

const API = 'https://api.tiny.com.br/api2';

export const tinyApi: SourceApi = {
  credentials: {
    token: { description: 'The token of the API 2.0 (Token API) that Tiny shows in Configurações.' },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** The order that a notification names. Whatever Tiny has to say comes with the status 200, and any other is no answer. */
export const tinyFetchBack: FetchBack = {
  next(webhook, { settings, credentials }) {
    const { orderId } = readMessage(webhook, settings);
    if (orderId === undefined || (webhook.fetched ?? []).length > 0) return undefined;
    return {
      ...{ name: 'order', path: '/pedido.obter.php', headers: { accept: 'application/json' } },
      body: formBody({ token: credentials.token ?? '', id: orderId, formato: 'json' }),
      answers: [],
    };
  },
  isTooOften,
};

/** What Tiny answers about an order that it does not find: no records, and no order. */
const NO_RECORDS = '20';
const NOT_FOUND = [NO_RECORDS, '32'];
/** What a person can do about the errors that come most. */
const WHY: ReadonlyMap<string, string> = new Map([
  ['1', 'it does not take the token'],
  ['2', 'it does not take the token'],
  ['6', 'it is asked too often'],
  ['11', 'it is asked too often'],
]);
const CODE = /^\d{1,4}$/;
/** Errors by which Tiny says that it is asked too often and answers nobody for a while. */
const TOO_OFTEN = ['6', '11'];

/** An order as Tiny answered it. */
interface FetchedOrder {
  /** The whole answer, for rules. */
  readonly answer: Payload;
  readonly order: Payload;
}

/**
 * The order, as Tiny answered; undefined where it is not there any more. Tiny says everything with the status 200: an error
 * is no answer, so that it is asked again. That an order which was just made is not found is no answer either.
 * @throws UnreadablePayload
 */
export function fetchedOrder(
  { fetched: [main] = [] }: StoredWebhook,
  { orderId, created }: Message,
): FetchedOrder | undefined {
  if (main === undefined) throw new UnreadablePayload('the order was not fetched from Tiny');
  const answer = Payload.parse(main.body);
  const reply = answer.at('retorno');
  if (reply.text('status') !== 'OK') return notFoundOrThrow(reply, created);
  const order = reply.at('pedido');
  if (numberIn(order, 'id') !== orderId) order.fail('id', 'is not the order that was asked for');
  return { answer, order };
}

/** Tiny says so with the status 200, too. */
function isTooOften({ body }: FetchedAnswer): boolean {
  const { retorno } = peekJson(body);
  if (!isObject(retorno)) return false;
  return TOO_OFTEN.includes(String(retorno['codigo_erro']));
}

function notFoundOrThrow(reply: Payload, created: boolean): undefined {
  const code = errorOf(reply);
  const isNotFound = NOT_FOUND.includes(code);
  if (isNotFound && !created) return undefined;
  return failFor(code, isNotFound ? 'it does not find the order, which was just made' : WHY.get(code));
}

/** A page of a list, as Tiny answered it; undefined where it says that there are no records. @throws UnreadablePayload */
export function listIn(body: Buffer): Payload | undefined {
  const reply = Payload.parse(body).at('retorno');
  if (reply.text('status') === 'OK') return reply;
  const code = errorOf(reply);
  return code === NO_RECORDS ? undefined : failFor(code, WHY.get(code));
}

function errorOf(reply: Payload): string {
  const text = reply.text('codigo_erro') ?? '';
  return CODE.test(text) ? text : 'without a number';
}

function failFor(code: string, why: string | undefined): never {
  throw new UnreadablePayload(`Tiny answered with error ${code}${why === undefined ? '' : `: ${why}`}`);
}
