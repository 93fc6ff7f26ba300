import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { closedSignal } from '../../http/closed-signal';
import { KeyCheck } from '../../http/key-check';
import { SpeaksOnly } from '../../http/reply-form';
import type { Organization } from '../../kernel/organization';
import { LiveUpdates } from './live-updates';

const EVENT_STREAM = 'text/event-stream';

/** What happens while it does. */
@OperatorsApi('Overview')
@Controller('admin/organizations/:org/live')
export class LiveController {
  constructor(
    private readonly updates: LiveUpdates,
    private readonly keys: KeyCheck,
  ) {}

  @Get()
  @SpeaksOnly(EVENT_STREAM)
  @ApiOperation({
    summary: 'Listen to what changes, as server-sent events',
    description:
      '`state` comes at once and whenever it changed: `{ date, received, open, lagSeconds, at }`, the first four as in the overview of today. ' +
      '`delivery` comes for deliveries that were stored or whose state changed: `{ id, source, topic, state, businessKey, receivedAt }`; ' +
      '`more`, that there were others. The reply ends after 15 minutes, when the process is stopped and when the key is revoked: ask again.',
  })
  @ApiOkResponse({
    description: 'Events, until the connection is closed',
    content: { [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  @ApiProblems('shutting-down')
  async listen(
    @CurrentOrganization() organization: Organization,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const keyNow = () => this.keys.stillOf(request);
    const listener = await this.updates.join(organization, keyNow, closedSignal(reply));
    // Proxies such as nginx would keep events until there are many.
    void reply.headers({ 'content-type': EVENT_STREAM, 'x-accel-buffering': 'no' }).send(listener.stream);
  }
}
