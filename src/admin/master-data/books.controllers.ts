import { Controller, Get, Delete, Put } from '@nestjs/common';
import type { ListPage } from '../../kernel/list-page';
import {
  EntriesRepository,
  ENTRY_KINDS,
  type EntryRecord,
} from '../../finance/embedded/entries/entries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization, CurrentActor, type Actor } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { FilterQuery, type Filter } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, AnswersPage, Does } from '../operation';
import { ACCOUNT_FILTERS, AccountRecordsRepository } from './account-records.repository';
import { Reasoned } from './bodies.dto';
import { AccountRecordView, EntryView } from './books.dto';
import { Reconciliation } from './reconciliation';

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
    private readonly reconciliation: Reconciliation,
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

  @Put(':id/reconciliation')
  @Does("Mark an entry as found on the bank's statement: it cannot be taken back then")
  mark(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<void> {
    return this.reconciliation.mark(actor, id);
  }

  @Delete(':id/reconciliation')
  @Does('Take that mark away')
  unmark(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(Reasoned, { optional: true }) body?: Reasoned,
  ): Promise<void> {
    return this.reconciliation.unmark(actor, id, body?.reason);
  }
}
