import type { Reply } from './client';
import { EXIT, Failure } from './failure';
import { harmlessJson } from './output/text';
import { Table } from './output/table';
import type { Query, Session } from './session';
import { isObject } from '../kernel/json-object';

/** Options of a list that comes in pages. */
export interface PageOptions {
  limit?: number;
  after?: string;
  all?: boolean;
}

interface Page {
  readonly reply: Reply;
  readonly items: readonly unknown[];
  readonly after: string | undefined;
}

/** The most that Ponte gives at once. */
const WHOLE_PAGE = 500;

/**
 * Prints a list: one page, or with `--all` every page, as it arrives. JSON is one document in either case, so an
 * end in the middle leaves a document that nobody can take for whole.
 * @param columns dotted paths of what a table shows; what is longest comes last
 */
export async function list(
  session: Session,
  path: string,
  columns: readonly string[],
  filters: Query = {},
  { limit, after, all }: PageOptions = {},
): Promise<void> {
  const size = limit ?? (all ? WHOLE_PAGE : undefined);
  const query = { ...filters, limit: size?.toString(), after };
  if (all) return printAll(session, path, columns, query);
  const page = await pageOf(session, path, query);
  if (session.json) return session.printJson(page.reply);
  await session.terminal.printLines(new Table(columns, session.terminal.style).lines(page.items));
  if (page.items.length === 0) await session.terminal.say('There is none.');
  if (page.after) await session.terminal.say(`There may be more: --after ${page.after}, or --all`);
}

async function printAll(
  session: Session,
  path: string,
  columns: readonly string[],
  query: Query,
): Promise<void> {
  const { terminal, json } = session;
  const table = new Table(columns, terminal.style);
  let count = 0;
  let opening = '{"items":[';
  for await (const { items } of pagesOf(session, path, query)) {
    if (json) await terminal.print(opening + items.map((item, at) => inJson(item, count + at)).join(''));
    else await terminal.printLines(table.lines(items));
    opening = '';
    count += items.length;
    await terminal.say(`${count} so far`);
    if (!terminal.isRead) return;
  }
  if (json) await terminal.print('\n],"after":null}\n');
}

async function* pagesOf(session: Session, path: string, query: Query): AsyncGenerator<Page> {
  let after = query['after'];
  while (true) {
    const page = await pageOf(session, path, { ...query, after });
    yield page;
    if (page.after === undefined) return;
    if (page.after === after) throw new Failure(EXIT.refused, 'Ponte names the same page again and again.');
    after = page.after;
  }
}

async function pageOf(session: Session, path: string, query: Query): Promise<Page> {
  const reply = await session.get(path, query);
  const { items, after } = isObject(reply.body) ? reply.body : {};
  if (!Array.isArray(items))
    throw new Failure(EXIT.refused, 'Ponte answered with something else than a list.');
  return { reply, items, after: typeof after === 'string' ? after : undefined };
}

/** @param at its place in the document, from 0 */
function inJson(item: unknown, at: number): string {
  return `${at > 0 ? ',' : ''}\n${harmlessJson(JSON.stringify(item))}`;
}
