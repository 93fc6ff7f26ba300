import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { KeyedApi, RequireScope } from '../http/api';
import { CurrentOrganization } from '../http/caller';
import { closedSignal } from '../http/closed-signal';
import { ETAG_HEADER, Revalidated } from '../http/revalidation';
import type { Organization } from '../kernel/organization';
import { toCloudEvent } from './cloud-event';
import { writeCursor } from './cursor';
import { Feed } from './feed';
import { ApiFeedProblems } from './feed-problems';
import { ApiFeedQuery, type FeedQuery, ReadFeedQuery } from './feed-query';
import { FeedPageView } from './feed.dto';

/** What came of deliveries and of `/v1`, for ERP connectors to poll. */
@KeyedApi('Feed')
@RequireScope('feed:read')
@Controller('feed')
export class FeedController {
  constructor(private readonly feed: Feed) {}

  @Get()
  @ApiOperation({ operationId: 'feed.read', summary: 'Read changes in the order of their commit' })
  @Revalidated()
  @ApiFeedQuery()
  @ApiOkResponse({
    type: FeedPageView,
    description: 'Changes, each a CloudEvent; none where nothing came in time',
    headers: { ...ETAG_HEADER, 'Preference-Applied': { schema: { type: 'string' } } },
  })
  @ApiFeedProblems('cursor-unknown', 'cursor-expired')
  async read(
    @CurrentOrganization() organization: Organization,
    @ReadFeedQuery() query: FeedQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FeedPageView> {
    const { waitMs, preferred, ...wanted } = query;
    const page = await this.feed.read(
      { ...wanted, organizationId: organization.id },
      waitMs,
      closedSignal(reply),
    );
    if (preferred !== undefined)
      void reply.headers({ vary: 'Prefer', 'preference-applied': `wait=${preferred}` });
    return {
      items: page.changes.map((change) => toCloudEvent(change, organization)),
      cursor: writeCursor(page.cursor),
      more: page.more,
    };
  }
}
