import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';

/** Before a token of ours that stands for a service's own way to name the next page. */
const OWN = '~';

/**
 * List options as the interface names them.
 * @param order where the request names none: pages of which only some are ordered would not fit together
 */
export function listQuery(list: Partial<ListRequest>, order?: string): Record<string, string> {
  const { top, skip, filter, skipToken } = list;
  const orderBy = list.orderBy ?? order;
  const asked = {
    ...(top !== undefined && { $top: String(top) }),
    ...(skip && { $skip: String(skip) }),
    ...(filter !== undefined && { $filter: filter }),
    ...(orderBy !== undefined && { $orderby: orderBy }),
  };
  return skipToken === undefined ? asked : inPlaceOf(asked, pageNamed(skipToken));
}

type Query = Record<string, string>;

/** Options in place of those of the same names, in any letter case. */
function inPlaceOf(options: Query, others: Query): Query {
  const replaced = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  const kept = Object.entries(options).filter(([name]) => !replaced.has(name));
  return { ...Object.fromEntries(kept), ...others };
}

/** A page as the service gave it to a request, as part of a list. Many services count the records and link to no page. */
export function partOf<T>(
  value: { items: T[]; count: number; nextPageLink?: string | null },
  asked: Pick<ListRequest, 'skip' | 'skipToken'>,
): ListPart<T> {
  const { items, count, nextPageLink } = value;
  const next = nextPageLink ? nameOf(nextPageLink) : afterAll(items.length, count, passedBy(asked));
  return { items, count, ...(next !== undefined && { next }) };
}

/** The token of a page after some records, where the service counts more than these and those before them. */
function afterAll(given: number, count: number, passed: number | undefined): string | undefined {
  if (passed === undefined || given === 0 || passed + given >= count) return undefined;
  return ownToken([['$skip', String(passed + given)]]);
}

/** How many records a request passed over; undefined where a token of the service's own says where to go on. */
function passedBy({ skip, skipToken }: Pick<ListRequest, 'skip' | 'skipToken'>): number | undefined {
  if (skipToken === undefined) return skip;
  const [, passed] =
    Object.entries(pageNamed(skipToken)).find(([name]) => name.toLowerCase() === '$skip') ?? [];
  return passed !== undefined && /^\d{1,10}$/.test(passed) ? Number(passed) : undefined;
}

/** The service's `$skiptoken` where it has one; else all of its link's list options. */
function nameOf(link: string): string | undefined {
  const [, search = ''] = link.split('?', 2);
  const options = [...new URLSearchParams(search)].filter(([name]) => name.startsWith('$'));
  if (options.length === 0) return undefined;
  const token = options.find(([name]) => name.toLowerCase() === '$skiptoken')?.[1];
  if (token !== undefined && !token.startsWith(OWN)) return token;
  return ownToken(options);
}

function ownToken(options: readonly [name: string, value: string][]): string {
  return `${OWN}${Buffer.from(JSON.stringify(options)).toString('base64url')}`;
}

function pageNamed(token: string): Record<string, string> {
  const options = token.startsWith(OWN) ? decoded(token.slice(OWN.length)) : undefined;
  return options ?? { $skiptoken: token };
}

/** @returns undefined when it was not made by {@link nameOf}: then the service is asked what it makes of it */
function decoded(text: string): Record<string, string> | undefined {
  try {
    const options: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const whole = Array.isArray(options) && options.length > 0 && options.every(isOption);
    return whole ? Object.fromEntries(options) : undefined;
  } catch {
    return undefined;
  }
}

function isOption(option: unknown): option is [string, string] {
  return (
    Array.isArray(option) &&
    option.length === 2 &&
    option.every((part) => typeof part === 'string') &&
    String(option[0]).startsWith('$')
  );
}
