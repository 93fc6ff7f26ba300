import { DELIVERY_STATES } from '../../deliveries/deliveries.repository';
import type { DeliveryFilter } from '../../deliveries/delivery-list.repository';
import { type Filter, type FilterSpec, spanOf } from '../filter-query';

/** What dead letters are filtered by; deliveries by their state, too. */
export const LETTER_FILTERS = {
  source: 'text',
  topic: 'text',
  businessKey: 'text',
  from: 'instant',
  to: 'instant',
  needsPerson: 'flag',
} as const satisfies FilterSpec;

/** @throws Problem malformed-request when the span of time ends before it begins */
export function deliveryFilter(filter: Filter): DeliveryFilter {
  const { source, topic, businessKey, needsPerson } = filter;
  const state = DELIVERY_STATES.find((candidate) => candidate === filter['state']);
  return {
    ...(state && { state }),
    ...(source !== undefined && { source }),
    ...(topic !== undefined && { topic }),
    ...(businessKey !== undefined && { businessKey }),
    ...(needsPerson !== undefined && { needsPerson: needsPerson === 'true' }),
    ...spanOf(filter),
  };
}
