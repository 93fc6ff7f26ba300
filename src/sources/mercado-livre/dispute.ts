import type { DisputeFacts } from '../../events/event';
import { definedOnly } from '../mapping/defined';
import { disputeKey } from '../mapping/keys';
import { CHARGED_BACK, GATEWAY, type Paid, statusOf } from './payments';

/** How a chargeback stands, by the payment's `status_detail`; any other word: it is open. */
const STATES: ReadonlyMap<string, DisputeFacts['state']> = new Map([
  ['reimbursed', 'won'],
  ['settled', 'lost'],
]);

/** What an order says of itself for its chargebacks. */
type Owner = Pick<DisputeFacts, 'source' | 'test'> & { readonly key: string };

/** A chargeback of a payment; undefined where nobody took it back. It is known by the payment, and has no number of its own. */
export function disputeOf(
  { place, id, value }: Paid,
  owner: Owner,
  changedAt: Date,
  zone: string,
): DisputeFacts | undefined {
  if (statusOf(place) !== CHARGED_BACK || !value.isPositive) return undefined;
  const at = place.instant('date_last_modified', zone) ?? changedAt;
  const state = STATES.get(place.textIfAny('status_detail') ?? '') ?? 'open';
  return {
    ...{ key: disputeKey(owner.source, id), source: owner.source, id, orderKey: owner.key, gateway: GATEWAY },
    ...{ value, state, openedAt: at },
    ...definedOnly({ closedAt: state === 'open' ? undefined : at }),
    test: owner.test,
  };
}
