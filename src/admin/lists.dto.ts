import type { Type } from '@nestjs/common';
import type { OperatorsPage } from './list-query';
import { ObjectOf, reply } from './fields';

/** The class of a page of `view`s, which has a name of its own in the API's description. */
export function PageOf<T>(view: Type<T>): Type<OperatorsPage<T>> {
  const after = reply.text('What to send as `after`; null on the last page').nullable();
  return ObjectOf({ items: reply.listOf(view), after });
}

/** The class of a list of `view`s that comes whole, in the form of a page. */
export function WholeListOf<T>(view: Type<T>): Type<{ items: T[]; after: null }> {
  const after = reply.other<null>({ type: String, nullable: true }, 'Always null: the list is whole');
  return ObjectOf({ items: reply.listOf(view), after });
}
