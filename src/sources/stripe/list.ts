import { listRequest } from '../mapping/listed';
import type { ListedItem, ProviderList } from '../missed-webhooks';
import { Payload, UnreadablePayload } from '../payload';
import { elementsOfMember } from '../top-level-member';
import { timeOf } from './amounts';
import { stripeHeaders } from './api';
import { stripeHooks } from './hooks';

/** Events of a page; Stripe gives 100 at most, and a charge has some kilobytes. */
const PAGE = 100;

/**
 * The events that the endpoint is for, as Stripe keeps them for 30 days, the newest first: one that happens while pages are asked
 * for is before the first page, and moves none of the others. An event has the same identifier here and in its webhook.
 */
export const stripeList: ProviderList = {
  has: 'events',
  // No event says which endpoint it is for, and sales that the shop sends to Ponte itself must not come of this list.
  missingSetting: (settings) => stripeHooks.unready?.(settings)?.name,
  request(place, { from, to }, access) {
    const query = new URLSearchParams({
      'created[gte]': String(Math.floor(from.getTime() / 1000)),
      'created[lt]': String(Math.ceil(to.getTime() / 1000)),
      limit: String(PAGE),
    });
    for (const topic of stripeHooks.topics(access.settings)) query.append('types[]', topic);
    if (place !== undefined) query.append('starting_after', place);
    return listRequest('events', '/v1/events', query, stripeHeaders(access));
  },
  read({ body }, { settings }) {
    const page = Payload.parse(body);
    const events = elementsOfMember(body, 'data')?.map(readEvent) ?? page.missing('data');
    const wanted = stripeHooks.topics(settings);
    const items = events.filter(({ type }) => wanted.includes(type)).map(({ item }) => item);
    if (!page.flag('has_more')) return { items };
    const next = events.at(-1)?.id;
    return next === undefined
      ? page.fail('has_more', 'says that there is more behind an empty page')
      : { items, next };
  },
};

/** @throws UnreadablePayload */
function readEvent(event: Buffer): { id: string; type: string; item: ListedItem } {
  const record = Payload.parse(event);
  if (record.word('object') !== 'event')
    throw new UnreadablePayload('the list has something else than events');
  return {
    id: record.identifier('id') ?? record.missing('id'),
    type: record.word('type') ?? record.missing('type'),
    item: {
      webhook: { body: event },
      changedAt: timeOf(record, 'created') ?? record.missing('created'),
    },
  };
}
