import { applyDecorators, Controller, Get } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { OperatorsApi, REMOTE_PROBLEM_CODES } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import type { ProblemCode } from '../../kernel/problem';
import { type Filter, FilterQuery } from '../filter-query';
import { Answers } from '../operation';
import type { OperatorsPage } from '../list-query';
import { Books } from './books';
import {
  BooksAccountsPage,
  type BooksAccountView,
  BooksCustomersPage,
  type BooksCustomerView,
  BooksEntriesPage,
  type BooksEntryView,
  BooksReceivablesPage,
  type BooksReceivableView,
  BooksStatementView,
  RECEIVABLE_STATES,
} from './books.dto';
import { type BooksPage, BooksQuery } from './books-page';

/** What comes of the books being kept elsewhere, as at `/v1`. */
const OF_A_SERVICE: readonly ProblemCode[] = [
  'finance-not-connected',
  'finance-misbehaved',
  'finance-unreachable',
  'not-implemented',
];

/** The books as they are, whoever keeps them. Nothing is changed here. */
@OperatorsApi('Books')
@Controller('admin/organizations/:org/books')
export class BooksController {
  constructor(private readonly books: Books) {}

  @Get('accounts')
  @Reads(BooksAccountsPage, 'List accounts with their balances, in the order of their creation')
  accounts(
    @CurrentOrganization() organization: Organization,
    @BooksQuery() page: BooksPage,
    @FilterQuery({}) _filter: Filter,
  ): Promise<OperatorsPage<BooksAccountView>> {
    return this.books.accounts(organization, page);
  }

  @Get('accounts/:id/entries')
  @Reads(
    BooksEntriesPage,
    'List what moved the balance of an account, the latest day first',
    'Of a remote finance service receipts and payments alone: it lists neither transfers nor opening balances.',
  )
  entries(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
    @BooksQuery() page: BooksPage,
    @FilterQuery({ from: 'day', to: 'day' }) filter: Filter,
  ): Promise<OperatorsPage<BooksEntryView>> {
    return this.books.entries(organization, id, filter, page);
  }

  @Get('receivables')
  @Reads(
    BooksReceivablesPage,
    'List receivables by due date: open ones unless asked',
    'Open and overdue ones the earliest first, paid ones and all the latest first. `from` and `to` are due dates.',
  )
  receivables(
    @CurrentOrganization() organization: Organization,
    @BooksQuery() page: BooksPage,
    @FilterQuery({ state: RECEIVABLE_STATES, customer: 'uuid', from: 'day', to: 'day' })
    filter: Filter,
  ): Promise<OperatorsPage<BooksReceivableView>> {
    const state = RECEIVABLE_STATES.find((candidate) => candidate === filter['state']) ?? 'open';
    return this.books.receivables(organization, state, filter, page);
  }

  @Get('customers')
  @Reads(
    BooksCustomersPage,
    'List customers, in the order of their creation',
    '`search` is a document, with or without punctuation, or a part of a name in any letter case.',
  )
  customers(
    @CurrentOrganization() organization: Organization,
    @BooksQuery() page: BooksPage,
    @FilterQuery({ search: 'text' }) { search }: Filter,
  ): Promise<OperatorsPage<BooksCustomerView>> {
    return this.books.customers(organization, search, page);
  }

  @Get('customers/:id')
  @Reads(BooksStatementView, 'Show a customer with a statement: receivables, what was received, what is open')
  statement(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
    @BooksQuery() page: BooksPage,
    @FilterQuery({}) _filter: Filter,
  ): Promise<BooksStatementView> {
    return this.books.statement(organization, id, page);
  }
}

function Reads(...answer: Parameters<typeof Answers>): MethodDecorator {
  return applyDecorators(Answers(...answer), ApiExtension(REMOTE_PROBLEM_CODES, OF_A_SERVICE));
}
