import { Controller, Get } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { type BooksPage, BooksQuery } from '../books/books-page';
import { type Filter, FilterQuery, type FilterSpec } from '../filter-query';
import { Answers } from '../operation';
import { OverviewView, PaymentsOfDayPage } from './overview.dto';
import { Overviews } from './overviews';

const PAYMENT_FILTERS: FilterSpec = {
  ...{ date: 'text', account: 'text', source: 'text', gateway: 'text' },
  ...{ withoutSource: 'flag', withoutGateway: 'flag' },
};

/** The day at a glance. */
@OperatorsApi('Overview')
@Controller('admin/organizations/:org/overview')
export class OverviewController {
  constructor(private readonly overviews: Overviews) {}

  @Get()
  @Answers(
    OverviewView,
    'Show a day at a glance: what was received and came of it, what is open, and the money that came in',
    '`date` is a day in the time zone of the organization, today unless it is given. Nothing is written.',
  )
  show(
    @CurrentOrganization() organization: Organization,
    @FilterQuery({ date: 'text' }, { beside: [] }) { date }: Filter,
  ): Promise<OverviewView> {
    return this.overviews.show(organization, date);
  }

  @Get('payments')
  @Answers(
    PaymentsOfDayPage,
    'List the payments that the money of a day is made of, by their keys',
    '`date` as above. `withoutSource` and `withoutGateway` ask for those whose source or gateway is not known. A source or account that the organization does not have is refused.',
  )
  payments(
    @CurrentOrganization() organization: Organization,
    @BooksQuery() page: BooksPage,
    @FilterQuery(PAYMENT_FILTERS) filter: Filter,
  ): Promise<PaymentsOfDayPage> {
    const { date, account } = filter;
    const asked = { source: nameOrNone(filter, 'source'), gateway: nameOrNone(filter, 'gateway') };
    return this.overviews.listPayments(organization, date, { accountId: account, ...asked }, page);
  }
}

/** @returns null where those without are asked for; undefined: any @throws Problem malformed-request */
function nameOrNone(filter: Filter, name: 'source' | 'gateway'): string | null | undefined {
  const without = name === 'source' ? 'withoutSource' : 'withoutGateway';
  if (filter[without] !== 'true') return filter[name];
  if (filter[name] === undefined) return null;
  throw new Problem('malformed-request', `${name} and ${without} exclude each other`);
}
