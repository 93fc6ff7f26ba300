import { Controller, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { closedSignal } from '../../http/closed-signal';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { Answers } from '../operation';
import { BacktestBody, BacktestView, RuleBacktestBody } from './backtest.dto';
import { PeriodBacktests } from './period-backtests';

const NOTHING_DONE =
  'Stored deliveries of the period are planned anew and compared with what was done. Nothing is written, and the finance system is not asked.';

/** What rules would do about deliveries that are stored. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org')
export class BacktestController {
  constructor(private readonly backtests: PeriodBacktests) {}

  @Post('backtest')
  @Answers(BacktestView, 'Say what the rules in force would do otherwise than was done', NOTHING_DONE)
  @ApiProblems('conflict', 'shutting-down')
  async all(
    @CurrentOrganization() organization: Organization,
    @JsonBody(BacktestBody, { refuseUnknown: true }) { rule: chosen, ...period }: BacktestBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BacktestView> {
    const { view } = await this.backtests.run(organization, period, closedSignal(reply), { chosen });
    return view;
  }

  @Post('rules/:name/backtest')
  @Answers(BacktestView, 'Say what a rule would do otherwise than was done', NOTHING_DONE)
  @ApiProblems('conflict', 'shutting-down')
  async one(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
    @JsonBody(RuleBacktestBody, { refuseUnknown: true }) { version, document, ...period }: RuleBacktestBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BacktestView> {
    const chosen = { name, version, document };
    const { view } = await this.backtests.run(organization, period, closedSignal(reply), {
      chosen,
      onlyChosen: true,
    });
    return view;
  }
}
