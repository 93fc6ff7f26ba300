import { Controller, Get } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { type Filter, FilterQuery } from '../filter-query';
import { Answers } from '../operation';
import { OverviewView } from './overview.dto';
import { Overviews } from './overviews';

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
    @FilterQuery({ date: 'text' }, { refuseAllBut: [] }) { date }: Filter,
  ): Promise<OverviewView> {
    return this.overviews.show(organization, date);
  }
}
