import { answerTo } from '../fetched';
import { Payload } from '../payload';
import { type SourceContext, type StoredWebhook, UnreadablePayload } from '../source';
import type { Message } from './message';
import { readSale, type Sale } from './sale';

/** The names of the requests: the ends of their paths. */
export const SALE = 'history';
export const USERS = 'users';
export const COMMISSIONS = 'commissions';

/** More sales than an answer about one has. */
const MOST_ITEMS = 20;

/**
 * The sale that a message names, as Hotmart has it in its history.
 * @throws UnreadablePayload also where it is not there: what was just sold may take a moment to be found
 */
export function fetchedSale(
  webhook: StoredWebhook,
  { transaction }: Message,
  context: Pick<SourceContext, 'source'>,
): Sale {
  const answer = payloadOf(webhook, SALE);
  if (answer === undefined) throw new UnreadablePayload('the sale was not fetched from Hotmart');
  const item = answer
    .items('items', MOST_ITEMS)
    .find((one) => one.at('purchase').textIfAny('transaction') === transaction);
  if (item === undefined) throw new UnreadablePayload('Hotmart’s history does not have the sale');
  return readSale(answer, item, context);
}

/**
 * What Hotmart answered about a sale besides; undefined where it did not, or has nothing of it.
 * @param name of the request: {@link USERS} or {@link COMMISSIONS}
 * @throws UnreadablePayload
 */
export function fetchedPart(
  webhook: StoredWebhook,
  name: string,
  { transaction }: Sale,
): Payload | undefined {
  const items = payloadOf(webhook, name)?.items('items', MOST_ITEMS) ?? [];
  return items.find((one) => one.textIfAny('transaction') === transaction);
}

function payloadOf(webhook: StoredWebhook, name: string): Payload | undefined {
  const answer = answerTo(webhook, name);
  return answer && Payload.parse(answer.body);
}
