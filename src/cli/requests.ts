import { pathOf, type Request } from './client';
import type { Run } from './definition';
import { list, type PageOptions } from './listing';
import type { Query, Session } from './session';

/*
 * What most commands do: one request, and its reply printed. A path is written as the operators' API writes it, below
 * the organization unless it begins with a slash: each `<…>` takes the next argument of the command, literally.
 */

/** Prints a list. The options that are not about pages are its filters. @param columns dotted paths of what a table shows */
export function lists(path: string, columns: readonly string[]): Run {
  return (session, options, ...args) => {
    const { limit, after, all, ...filters } = options as PageOptions & Query;
    return list(session, addressOf(session, path, args), columns, filters, { limit, after, all });
  };
}

/** Shows one record. The options stand in the query. */
export function shows(path: string): Run {
  return async (session, options, ...args) =>
    session.show(await session.get(addressOf(session, path, args), options as Query));
}

type BodyOf<O> = (session: Session, options: O, ...args: string[]) => object | Promise<object>;

/**
 * Sends a change and shows what came of it.
 * @param done said when it is done
 * @param body of the request, of the same arguments as a command; the options unless given. DELETE has none
 */
export function sends<O extends object>(
  method: Request['method'],
  path: string,
  { done, body }: { done?: string; body?: BodyOf<O> } = {},
): Run<O> {
  return async (session, options, ...args) => {
    const content = method === 'DELETE' ? undefined : ((await body?.(session, options, ...args)) ?? options);
    await session.show(await session.send(method, addressOf(session, path, args), content));
    if (done !== undefined) await session.terminal.say(done);
  };
}

function addressOf(session: Session, path: string, args: readonly string[]): string {
  const left = [...args];
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('<') ? (left.shift() ?? '') : part));
  return path.startsWith('/') ? pathOf(...parts) : session.within(...parts);
}
