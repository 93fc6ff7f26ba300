import { Prisma, type PrismaClient } from '../../../database/client/client';
import type { OrderKey } from '../../../http/filter/expression';
import { parseFilter } from '../../../http/filter/filter';
import { parseOrderBy } from '../../../http/filter/orderby';
import { listDigest, readSkipToken, writeSkipToken } from '../../../http/skip-token';
import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { wireAmount, wireDay } from '../../api/shapes/wire';
import { allOf, type Column, type Columns } from './columns.sql';
import { conditionOf } from './filter.sql';
import { comesAfter, orderBy, sortTerms } from './order.sql';

/** One list of an organization: what it is made of, and in which order it comes when nothing is said. */
export interface ListDeclaration {
  /** Another than every other list's, so that no token of one is taken by another. */
  readonly name: string;
  /** An item's properties. An object with some of them is always there, empty or not. */
  readonly columns: Columns;
  /** What a record has and its item does not show: it can be filtered and ordered by all the same. */
  readonly hidden?: Columns;
  /** Tables, joined so that no record comes twice. */
  readonly from: Prisma.Sql;
  /** What belongs to the list, the organization first. */
  readonly where: Prisma.Sql;
  /** The column with the record's UUID. */
  readonly identifier: Prisma.Sql;
  /** Keys before the identifier; creation order where there are none. */
  readonly order?: readonly OrderKey[];
  /** SQL for how many there are while no filter is given, where that is kept; else they are counted. */
  readonly kept?: Prisma.Sql;
}

type Row = Record<string, string | number | boolean | null>;

/**
 * Reads the part of a list that is asked for: two statements at once, or one where the request goes on from a page
 * before or wants no count. Values of the request are parameters, all of them.
 * @throws Problem malformed-request for a `$filter`, `$orderby` or `$skiptoken` that cannot be read
 */
export async function readList<View>(
  prisma: PrismaClient,
  organization: Organization,
  list: ListDeclaration,
  request: ListRequest,
): Promise<ListPart<View>> {
  const reading = new ListReading(organization, list, request);
  const [count, rows] = await Promise.all([
    request.uncounted ? 0 : (reading.knownCount ?? countOf(prisma, reading.countStatement())),
    rowsOf(prisma, reading, request),
  ]);
  const shown = rows.slice(0, request.top);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => reading.itemOf(row)) as View[],
    count,
    ...(rows.length > shown.length && last && { next: reading.tokenAfter(last, count) }),
  };
}

/**
 * The records of the part of a list that is asked for, without counting the rest: one statement.
 * @throws Problem malformed-request for a `$filter`, `$orderby` or `$skiptoken` that cannot be read
 */
export async function readItems<View>(
  prisma: PrismaClient,
  organization: Organization,
  list: ListDeclaration,
  request: ListRequest,
): Promise<View[]> {
  const reading = new ListReading(organization, list, request);
  const rows = await rowsOf(prisma, reading, request);
  return rows.slice(0, request.top).map((row) => reading.itemOf(row)) as View[];
}

/**
 * The first record of a list that matches.
 * @throws Problem malformed-request for a `$filter` that cannot be read
 */
export async function readFirst<View>(
  prisma: PrismaClient,
  organization: Organization,
  list: ListDeclaration,
  filter?: string,
): Promise<View | undefined> {
  const [first] = await readItems<View>(prisma, organization, list, { top: 1, skip: 0, filter });
  return first;
}

/** A list with nothing but one of its records, if that is in it. @param id UUID */
export function one(list: ListDeclaration, id: string): ListDeclaration {
  return { ...list, where: Prisma.sql`${list.where} and ${list.identifier} = ${id}::uuid` };
}

async function rowsOf(prisma: PrismaClient, reading: ListReading, { top }: ListRequest): Promise<Row[]> {
  return top > 0 ? prisma.$queryRaw<Row[]>(reading.pageStatement()) : [];
}

async function countOf(prisma: PrismaClient, statement: Prisma.Sql): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: bigint }[]>(statement);
  return Number(row?.count ?? 0n);
}

/** A request on a list, understood: its statements, and what its rows become. */
export class ListReading {
  private readonly paths: readonly string[];
  private readonly fields: readonly Field[];
  private readonly terms: ReturnType<typeof sortTerms>;
  private readonly conditions: readonly Prisma.Sql[];
  private readonly after: readonly Prisma.Sql[];
  private readonly filtered: boolean;
  private readonly digest: string;
  /** How many match, as the first page found it. */
  readonly knownCount?: number;

  /** @throws Problem malformed-request */
  constructor(
    private readonly organization: Organization,
    private readonly list: ListDeclaration,
    private readonly request: ListRequest,
  ) {
    const { columns } = list;
    const known = { ...list.hidden, ...columns };
    const [filter, order] = [request.filter?.trim() ?? '', request.orderBy?.trim() ?? ''];
    this.paths = Object.keys(columns);
    this.fields = this.paths.map(fieldOf);
    const keys = order === '' ? (list.order ?? []) : parseOrderBy(order, known);
    this.terms = sortTerms(keys, known, list.identifier);
    this.filtered = filter !== '';
    this.conditions = [
      list.where,
      ...(this.filtered ? [conditionOf(parseFilter(filter, known), known, organization)] : []),
    ];
    // A token without a count is none of a walk that shows one.
    const name = request.uncounted ? `${list.name}, uncounted` : list.name;
    this.digest = listDigest(name, filter, order);
    const token = request.skipToken === undefined ? undefined : readSkipToken(request.skipToken, this.digest);
    this.knownCount = token?.count;
    this.after = token ? [comesAfter(this.terms, token.keys)] : [];
  }

  countStatement(): Prisma.Sql {
    if (this.list.kept && !this.filtered) return Prisma.sql`select ${this.list.kept} as count`;
    return Prisma.sql`select count(*) as count from ${this.list.from} where ${allOf(this.conditions)}`;
  }

  /** One row more than asked for, which says whether any follow. */
  pageStatement(): Prisma.Sql {
    const { top, skip } = this.request;
    const shown = this.paths.map((path, index) => {
      const { type, sql } = this.list.columns[path] as Column;
      return Prisma.sql`${readable(type, sql)} as ${Prisma.raw(`c${index}`)}`;
    });
    const keys = this.terms.map(({ sql }, index) => Prisma.sql`(${sql})::text as ${Prisma.raw(`k${index}`)}`);
    return Prisma.sql`select ${Prisma.join([...shown, ...keys])} from ${this.list.from}
      where ${allOf([...this.conditions, ...this.after])}
      order by ${orderBy(this.terms)} limit ${top + 1}::bigint offset ${skip}::bigint`;
  }

  /** The row as an item: paths become objects, what is null is left out. */
  itemOf(row: Row): Record<string, unknown> {
    const item: Record<string, unknown> = {};
    for (const { label, parents, name, path } of this.fields) {
      const value = row[label];
      let parent = item;
      for (const part of parents) parent = (parent[part] ??= {}) as Record<string, unknown>;
      if (value !== null && value !== undefined)
        parent[name] = this.wire(this.list.columns[path] as Column, value);
    }
    return item;
  }

  tokenAfter(row: Row, count: number): string {
    const keys = this.terms.map((_, index) => String(row[`k${index}`]));
    return writeSkipToken({ keys, digest: this.digest, count });
  }

  private wire({ type }: Column, value: string | number | boolean): string | number | boolean {
    const { currency, timeZone } = this.organization;
    if (type === 'money') return wireAmount(BigInt(value), currency);
    if (type === 'date') return wireDay(String(value), timeZone);
    return value;
  }
}

/** Where a column's value goes in an item. */
interface Field {
  /** Of the column in the statement. */
  label: string;
  path: string;
  /** Members that lead to it from the item, and its own name. */
  parents: readonly string[];
  name: string;
}

function fieldOf(path: string, index: number): Field {
  const parents = path.split('/');
  const name = parents.pop() ?? path;
  return { label: `c${index}`, path, parents, name };
}

function readable(type: Column['type'], sql: Prisma.Sql): Prisma.Sql {
  return type === 'money' || type === 'date' ? Prisma.sql`(${sql})::text` : sql;
}
