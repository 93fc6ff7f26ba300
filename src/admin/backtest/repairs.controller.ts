import { Controller, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { closedSignal } from '../../http/closed-signal';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { Answers } from '../operation';
import { RepairBody, RepairProgressView, RepairView } from './backtest.dto';
import { Repairs } from './repairs';

/** Doing what the rules in force say is missing of a period. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org')
export class RepairsController {
  constructor(private readonly repairs: Repairs) {}

  @Post('repair')
  @Answers(
    RepairView,
    'Say what is missing of a period, or have it done',
    'First without effects: the answer names its plan. With `dryRun` false and that plan, the deliveries with something missing are worked on again. 409 with the plan as it is now where that is another one.',
  )
  @ApiProblems('conflict', 'shutting-down')
  repair(
    @CurrentActor() actor: Actor,
    @JsonBody(RepairBody, { refuseUnknown: true }) body: RepairBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RepairView> {
    return this.repairs.repair(actor, body, closedSignal(reply));
  }

  @Get('repairs/:id')
  @Answers(RepairProgressView, 'Say how far a repair is')
  progress(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<RepairProgressView> {
    return this.repairs.progress(organization, id);
  }
}
