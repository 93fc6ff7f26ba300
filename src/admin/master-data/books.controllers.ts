import { Controller, Get, Delete, Put } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import {
  EntriesRepository,
  ENTRY_KINDS,
  type EntryRecord,
  type LockedEntry,
} from '../../finance/embedded/entries/entries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization, CurrentActor, type Actor } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import { Clock } from '../../kernel/clock';
import type { ListPage } from '../../kernel/list-page';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository, type Change } from '../audit.repository';
import { FilterQuery, type Filter } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, AnswersPage, Does } from '../operation';
import { ACCOUNT_FILTERS, AccountRecordsRepository } from './account-records.repository';
import { Reasoned } from './bodies.dto';
import { AccountRecordView, EntryView } from './books.dto';

@OperatorsApi('Accounts')
@Controller('admin/organizations/:org/accounts')
export class AccountsAdminController {
  constructor(private readonly accounts: AccountRecordsRepository) {}

  @Get()
  @AnswersPage(AccountRecordView, 'List accounts, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(ACCOUNT_FILTERS) filter: Filter,
  ): Promise<OperatorsPage<AccountRecordView>> {
    return operatorsPage(await this.accounts.list(organization, filter, page), page);
  }

  @Get(':id')
  @Answers(AccountRecordView, 'Read an account with everything that is stored of it')
  async get(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<AccountRecordView> {
    const found = await this.accounts.find(organization, id);
    if (!found) throw new Problem('not-found', 'The organization has no such account');
    return found;
  }
}

/** The ledger itself, as booked. */
@OperatorsApi('Entries')
@Controller('admin/organizations/:org/entries')
export class EntriesController {
  constructor(
    private readonly entries: EntriesRepository,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AnswersPage(EntryView, 'List entries, newest first; what was taken back only with reversed=true')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery({ account: 'uuid', schedule: 'uuid', kind: ENTRY_KINDS, reversed: 'flag' }) filter: Filter,
  ): Promise<OperatorsPage<EntryRecord>> {
    const { reversed, ...given } = filter;
    const wanted = { ...given, reversed: reversed === 'true' || given['kind'] === 'reversal' };
    return operatorsPage(await this.entries.list(organization, wanted, page), page);
  }

  /**
   * Doing it again changes nothing.
   * @throws Problem not-found; conflict for an entry that touches no account or was taken back
   */
  @Put(':id/reconciliation')
  @Does("Mark an entry as found on the bank's statement: it cannot be taken back then")
  async mark(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const entry = await this.lock(tx, actor, id);
      if (entry.reconciliated) return;
      if (!entry.touchesAccount)
        throw new Problem('conflict', 'The entry touches no account, so no statement can show it');
      if (entry.reversed) throw new Problem('conflict', 'The entry was taken back, or takes another back');
      await this.entries.reconcile(tx, id, this.clock.now());
      await this.audit.record(tx, actor, { action: 'entry.reconcile', subject: id, ...markedFrom(false) });
    });
  }

  /** @throws Problem not-found, also for an entry that is not marked */
  @Delete(':id/reconciliation')
  @Does('Take that mark away')
  async unmark(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(Reasoned, { optional: true }) { reason }: Reasoned = {},
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { reconciliated } = await this.lock(tx, actor, id);
      if (!reconciliated) throw new Problem('not-found', 'The entry is not marked as found on a statement');
      await this.entries.unreconcile(tx, id);
      const change = { action: 'entry.unreconcile', subject: id, ...markedFrom(true), reason };
      await this.audit.record(tx, actor, change);
    });
  }

  private async lock(tx: Transaction, { organization }: Actor, id: string): Promise<LockedEntry> {
    const entry = await this.entries.lock(tx, organization.id, id);
    if (!entry) throw new Problem('not-found', 'The organization has no such entry');
    return entry;
  }
}

function markedFrom(isReconciliated: boolean): Pick<Change, 'before' | 'after'> {
  return { before: { isReconciliated }, after: { isReconciliated: !isReconciliated } };
}
