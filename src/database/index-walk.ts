import { Prisma } from './client/client';

/** A place in a list that is ordered by time, then by identifier. */
export interface Place {
  at: Date;
  id: string;
}

/**
 * What of a table is wanted, said so that one index alone can answer it in order: the index's first columns are fixed
 * by `fixed`, then come `lead` if there is one, the time, and `id`.
 *
 * `lead` is not compared for equality but bounds and order are over lead, time and identifier together. The outcome is
 * the same, but a planner that believes every row to have the value can no longer prefer an index without it.
 */
export interface IndexWalk {
  table: 'delivery' | 'open_delivery' | 'entity_delivery' | 'audit_entry';
  fixed: readonly Prisma.Sql[];
  lead?: { column: string; value: Prisma.Sql };
  /** The column of time. */
  time: string;
  /** At this instant or later. */
  from?: Date | undefined;
  /** Before this instant. */
  to?: Date | undefined;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Identifiers, newest first, of what any of the walks finds. Of several each goes as far as a page is long.
 * @param walks one or more, no two of which find the same
 * @param after where the page before ended
 */
export function newestFirst(walks: readonly IndexWalk[], limit: number, after?: Place): Prisma.Sql {
  const [only, ...others] = walks;
  if (only && others.length === 0) return newest(only, Prisma.sql`t.id::text as id`, limit, after);
  const pages = walks.map((walk) => newest(walk, Prisma.sql`t.id, ${column(walk.time)} as at`, limit, after));
  const all = pages.map((page) => Prisma.sql`(${page})`);
  return Prisma.sql`
    select p.id::text as id from (${Prisma.join(all, ' union all ')}) p order by p.at desc, p.id desc limit ${limit}`;
}

function newest(walk: IndexWalk, shown: Prisma.Sql, limit: number, after?: Place): Prisma.Sql {
  const end = walk.to && { at: walk.to, id: NO_ID };
  const upper = after && (!end || after.at < end.at) ? after : end;
  return Prisma.sql`
    select ${shown} from ${table(walk)} t where ${within(walk, lowest(walk), compare('<', walk, upper))}
    order by ${order(walk, 'desc')} limit ${limit}`;
}

/**
 * Identifiers and times of dead letters, oldest first, each delivery locked unless another has it. What is walked follows
 * the rows of `delivery`: who is to change one locks it there, and what it is then has the last word.
 * @param after where to go on
 */
export function lockOldestDead(walk: IndexWalk, limit: number, after?: Place): Prisma.Sql {
  const isWithin = after && (!walk.from || after.at >= walk.from);
  const lower = isWithin ? compare('>', walk, after) : lowest(walk);
  return Prisma.sql`
    select t.id::text as id, ${column(walk.time)} as at from ${table(walk)} t
    join delivery d on d.id = t.id and d.state = 'dead'
    where ${within(walk, lower, highest(walk))}
    order by ${order(walk, 'asc')} limit ${limit} for update of d skip locked`;
}

/** How many there are. */
export function countAll(walk: IndexWalk): Prisma.Sql {
  return Prisma.sql`
    select count(*)::int as count from ${table(walk)} t where ${within(walk, lowest(walk), highest(walk))}`;
}

/** One bound at each end: of two the scan would begin at whichever comes first, and pass over all between them. */
function within(walk: IndexWalk, ...bounds: (Prisma.Sql | undefined)[]): Prisma.Sql {
  return Prisma.join([...walk.fixed, ...bounds.filter((bound) => bound !== undefined)], ' and ');
}

function lowest(walk: IndexWalk): Prisma.Sql | undefined {
  return compare('>=', walk, walk.from && { at: walk.from, id: NO_ID });
}

function highest(walk: IndexWalk): Prisma.Sql | undefined {
  return compare('<', walk, walk.to && { at: walk.to, id: NO_ID });
}

/** @param place undefined: the end of time; then there is no bound unless a lead needs one */
function compare(
  operator: '<' | '>' | '>=',
  walk: IndexWalk,
  place: Place | undefined,
): Prisma.Sql | undefined {
  if (!place && !walk.lead) return undefined;
  const end = Prisma.raw(`timestamptz '${operator === '<' ? '' : '-'}infinity'`);
  const values = [
    ...(walk.lead ? [walk.lead.value] : []),
    place ? Prisma.sql`${place.at}::timestamptz` : end,
    Prisma.sql`${place?.id ?? NO_ID}::uuid`,
  ];
  return Prisma.sql`(${Prisma.join(columns(walk), ', ')}) ${Prisma.raw(operator)} (${Prisma.join(values, ', ')})`;
}

function order(walk: IndexWalk, direction: 'asc' | 'desc'): Prisma.Sql {
  return Prisma.join(
    columns(walk).map((each) => Prisma.sql`${each} ${Prisma.raw(direction)}`),
    ', ',
  );
}

function columns({ lead, time }: IndexWalk): Prisma.Sql[] {
  return [...(lead ? [lead.column] : []), time, 'id'].map(column);
}

function column(name: string): Prisma.Sql {
  return Prisma.raw(`t.${name}`);
}

function table(walk: IndexWalk): Prisma.Sql {
  return Prisma.raw(walk.table);
}
