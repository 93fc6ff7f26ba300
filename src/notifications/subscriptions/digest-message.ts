import { type Digest, MOST_LISTED, type OpenItem, pathOf, shownKey, totalsOf } from './digest';

/** What an endpoint gets: JSON, the same in every language. */
export interface DigestMessage {
  readonly type: 'attention.required' | 'attention.digest';
  readonly data: object;
}

/** Of one item that is sent at once: that item; else a digest. */
export function digestMessage(digest: Digest, isAlone: boolean): DigestMessage {
  const { organization, subscription, items, hasMore } = digest;
  const about = { organization: organization.slug, subscription };
  const [only] = items;
  if (isAlone && only) {
    return { type: 'attention.required', data: { ...about, ...itemData(only, organization.slug) } };
  }
  const totals = totalsOf(items).map(({ code, count, sums }) => ({
    ...{ code, count },
    sums: sums.map((sum) => sum.toJSON()),
  }));
  const listed = items.slice(0, MOST_LISTED).map((item) => itemData(item, organization.slug));
  const more = items.length - listed.length;
  return {
    type: 'attention.digest',
    data: { ...about, count: items.length, totals, items: listed, more, continues: hasMore },
  };
}

function itemData(item: OpenItem, organization: string): object {
  const { kind, id, code, businessKey, amount, since, source, differing } = item;
  return {
    ...{ kind, id, code, since: since.toISOString(), path: pathOf(item, organization) },
    ...(businessKey !== null && { businessKey: shownKey(businessKey) }),
    ...(source !== null && { source }),
    ...(amount !== null && amount.toJSON()),
    ...(differing && { differences: differing.count, from: differing.from, to: differing.to }),
  };
}
