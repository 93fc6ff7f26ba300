import { Controller, Get } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { type Filter, FilterQuery } from '../filter-query';
import { Answers } from '../operation';
import { Timelines } from './timeline';
import { TimelineView } from './timeline.dto';

/** What happened to one order or payout. */
@OperatorsApi('Orders')
@Controller('admin/organizations/:org/timeline')
export class TimelineController {
  constructor(private readonly timelines: Timelines) {}

  /** @throws Problem not-found; malformed-request without a key */
  @Get()
  @Answers(
    TimelineView,
    'Show all that happened to an order or payout, in the order of time',
    'Messages, runs of rules, effects, what stands in the books, what needs or needed a person, what operators did, and what the feed says of it. At most 200 messages and 2,000 items, the newest. Of a person only the name of the customer in the books is shown.',
  )
  show(
    @CurrentOrganization() organization: Organization,
    @FilterQuery({ key: 'text' }, { beside: [] }) { key }: Filter,
  ): Promise<TimelineView> {
    if (key === undefined) throw new Problem('malformed-request', 'key is required');
    return this.timelines.of(organization, key);
  }
}
