import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { notFound, pathId } from '../api/ports/not-found';
import type { ListPart, ListRequest } from '../api/shapes/lists.dto';
import { announceOwn, type RecordChange } from './changes/announce';
import { IdempotentTransaction } from './idempotency/idempotent-transaction';
import { type ListDeclaration, one, readFirst, readItems, readList } from './lists/list.repository';

/** Announces what the transaction at hand has written. */
export type Announce = (changes: readonly RecordChange[]) => Promise<void>;

/** What the ports over Ponte's own books share: reading lists, and writing with an announcement. */
@Injectable()
export class EmbeddedBooks {
  constructor(
    private readonly database: Database,
    private readonly writes: IdempotentTransaction,
    private readonly clock: Clock,
  ) {}

  today({ timeZone }: Organization): CalendarDate {
    return CalendarDate.fromInstant(this.clock.now(), timeZone);
  }

  /** @see readList */
  list<View>(
    organization: Organization,
    list: ListDeclaration,
    request: ListRequest,
  ): Promise<ListPart<View>> {
    return readList(this.database.prisma, organization, list, request);
  }

  /** @see readItems */
  items<View>(organization: Organization, list: ListDeclaration, request: ListRequest): Promise<View[]> {
    return readItems(this.database.prisma, organization, list, request);
  }

  /** @see readFirst */
  first<View>(organization: Organization, list: ListDeclaration, filter?: string): Promise<View | undefined> {
    return readFirst(this.database.prisma, organization, list, filter);
  }

  /**
   * The record of a list that a path names.
   * @param what the record in the problem's sentence
   * @throws Problem `not-found`
   */
  async get<View>(
    organization: Organization,
    list: ListDeclaration,
    id: string,
    what: string,
  ): Promise<View> {
    const found = await this.first<View>(organization, one(list, pathId(id, what)));
    if (!found) throw notFound(what);
    return found;
  }

  /** @see IdempotentTransaction.transaction */
  write<T>(
    organization: Organization,
    work: (tx: Transaction, announce: Announce) => Promise<T>,
  ): Promise<T> {
    return this.writes.transaction((tx) =>
      work(tx, (changes) => announceOwn(tx, organization, changes, this.clock.now())),
    );
  }
}
