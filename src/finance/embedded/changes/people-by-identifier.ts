import type { Columns } from '../lists/columns.sql';
import type { RecordKind } from './changed-records.repository';

/*
 * What the feed stores of people: their identifiers. Who they are stands in the books alone; the view `feed_change` fills it in
 * when the feed is read, so that a person who is changed or erased there is so in the feed as well.
 */

/** The columns of a list without what they say of people, but for the identifiers. */
export function withoutPeople(kind: RecordKind, columns: Columns): Columns {
  return Object.fromEntries(
    Object.entries(columns).filter(([path]) =>
      kind === 'stakeholder' ? path === 'id' : !path.startsWith('stakeholder/') || path === 'stakeholder/id',
    ),
  );
}

/** The same of an item of the list. */
export function withoutPerson(kind: RecordKind, item: object): object {
  if (kind === 'stakeholder') return 'id' in item ? { id: item.id } : {};
  const { stakeholder } = item as { stakeholder?: { id?: string } };
  if (stakeholder?.id === undefined) return item;
  return { ...item, stakeholder: { id: stakeholder.id } };
}
