import { MOST_PAYMENTS } from '../../events/limits';
import { answerTo, basicHeaders, isGone } from '../fetched';
import { peekJson } from '../identity';
import { Payload } from '../payload';
import { apiUrlOf, isWithoutSales } from '../settings';
import type {
  FetchAccess,
  FetchBack,
  FetchedAnswer,
  FetchRequest,
  SourceApi,
  Settings,
  StoredWebhook,
} from '../source';
import { needsOperations } from './charge';
import { CHARGED_BACK, type Named, nameOf, readAnswer, readHook } from './hook';
import { disputedCharge, fetchedMovement, movementNamed } from './movement';

const API = 'https://api.pagar.me/core/v5';

/** What to ask next: the order, or the charge without one, and the operations of charges that do not say what went back. */
function nextOf(webhook: StoredWebhook, settings: Settings): Asked | undefined {
  const movement = isWithoutSales(settings) ? movementNamed(webhook) : undefined;
  if (movement !== undefined) return nextOfMovement(movement, webhook);
  const named = readHook(webhook);
  if (named === undefined || !isRelevant(webhook, settings)) return undefined;
  const [first] = webhook.fetched ?? [];
  if (first === undefined) return askFor(named);
  return isGone(first) ? undefined : readAnswers(named, first, webhook).next;
}

/** Whether a webhook about an order or charge tells anything that the shop does not. */
export function isRelevant({ topic }: Pick<StoredWebhook, 'topic'>, settings: Settings): boolean {
  return !isWithoutSales(settings) || topic === CHARGED_BACK;
}

/** The operation, and where a charge was taken back by it, the charge. */
function nextOfMovement(id: string, webhook: StoredWebhook): Asked | undefined {
  const { fetched = [] } = webhook;
  if (fetched.length === 0)
    return { name: 'operation', path: `/balance/operations/${encodeURIComponent(id)}` };
  const movement = fetchedMovement(webhook, id);
  const named = movement && disputedCharge(movement);
  if (named === undefined) return undefined;
  const first = answerTo(webhook, named.kind);
  if (first === undefined) return askFor(named);
  return isGone(first) ? undefined : readAnswers(named, first, webhook).next;
}

export const pagarmeApi: SourceApi = {
  credentials: {
    secretKey: {
      description:
        'Secret key of the account at Pagar.me, which begins with sk_ and can read orders and charges.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** Headers of every request. */
export function pagarmeHeaders({ credentials }: FetchAccess): Record<string, string> {
  return basicHeaders(credentials['secretKey']);
}

export const pagarmeFetchBack: FetchBack = {
  next(webhook, access): FetchRequest | undefined {
    const next = nextOf(webhook, access.settings);
    return next && { ...next, headers: pagarmeHeaders(access) };
  },
  orderingKey({ fetched = [] }) {
    const owner = fetched.find((answer) => answer.name === 'order' && !isGone(answer)) ?? fetched[0];
    const { id } = peekJson(owner?.body ?? Buffer.alloc(0));
    return typeof id === 'string' && /^(or|ch)_\w{1,60}$/.test(id) ? `order/${id}` : undefined;
  },
};

/** What was asked for by the name of the request. */
const OPERATIONS = 'transactions';

/** What a webhook is about, as far as Pagar.me was asked. */
export interface Answers {
  /** What was asked for first. */
  readonly main: Payload;
  /** The order, or the charge that was made without one. */
  readonly order: Payload;
  readonly charges: readonly Payload[];
  /** The operations of the charges of which it was asked, by the charge. */
  readonly operations: ReadonlyMap<string, readonly Payload[]>;
  /** What there is to ask still. */
  readonly next: Asked | undefined;
}

/** What there is to ask: an order or charge, or the operations of a charge. */
interface Asked {
  readonly name: string;
  readonly path: string;
}

/** Asks for an order or charge itself. */
function askFor({ kind, id }: Named): Asked {
  return { name: kind, path: `/${kind}s/${encodeURIComponent(id)}` };
}

/**
 * @param first the answer about what the webhook names
 * @throws UnreadablePayload
 */
export function readAnswers(named: Named, first: FetchedAnswer, { fetched = [] }: StoredWebhook): Answers {
  const main = readAnswer(first, named);
  const alone: Answers = {
    ...{ main, order: main, charges: [main], operations: new Map<string, Payload[]>(), next: undefined },
  };
  if (named.kind === 'order')
    return withOperations(main, main, main.items('charges', MOST_PAYMENTS), fetched);
  const owner = nameOf(main.at('order'), 'order');
  if (owner === undefined) return withOperations(main, main, [main], fetched);
  const answer = fetched.find(({ name }) => name === 'order');
  if (answer === undefined) return { ...alone, next: askFor(owner) };
  if (isGone(answer)) return withOperations(main, main, [main], fetched);
  const order = readAnswer(answer, owner);
  return withOperations(main, order, order.items('charges', MOST_PAYMENTS), fetched);
}

function withOperations(
  main: Payload,
  order: Payload,
  charges: readonly Payload[],
  fetched: readonly FetchedAnswer[],
): Answers {
  const operations = new Map<string, readonly Payload[]>();
  let next: Asked | undefined;
  for (const charge of charges.filter((one) => needsOperations(one))) {
    const { id } = nameOf(charge, 'charge') ?? charge.missing('id');
    const name = `${OPERATIONS}-${id}`;
    const answer = fetched.find((one) => one.name === name);
    if (answer === undefined) next ??= { name, path: `/charges/${encodeURIComponent(id)}/transactions` };
    else if (!isGone(answer)) operations.set(id, Payload.parse(answer.body).items('data', MOST_PAYMENTS));
  }
  return { main, order, charges, operations, next };
}
