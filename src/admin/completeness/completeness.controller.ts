import { Controller, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Settings } from '../../config/settings';
import { readCursor } from '../../finance/api/ports/book-details.port';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { closedSignal } from '../../http/closed-signal';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { type Filter, FilterQuery, type FilterSpec } from '../filter-query';
import { Answers } from '../operation';
import { type CompletenessQuestion, CompletenessReports } from './completeness';
import {
  CompletenessRepairBody,
  CompletenessRepairView,
  CompletenessView,
  DifferingEntitiesPage,
} from './completeness.dto';
import type { EntityPlace } from './completeness.repository';
import { CompletenessRepairs } from './completeness-repairs';
import { completenessView, differingView } from './completeness-view';

const DEFAULT_LISTED = 100;
const MOST_LISTED = 500;
const QUESTION: FilterSpec = { from: 'text', to: 'text', source: 'text' };

/** Whether all that a shop sold is in the books. */
@OperatorsApi('Completeness')
@Controller('admin/organizations/:org/completeness')
export class CompletenessController {
  constructor(
    private readonly reports: CompletenessReports,
    private readonly repairs: CompletenessRepairs,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Answers(
    CompletenessView,
    'Compare what a shop says of a period with what is in the books',
    'Orders and payouts that the source says were made from `from` to `to`, two days in the time zone of the organization, 92 days at most. Nothing is written; neither the shop nor a finance service is asked.',
  )
  @ApiProblems('shutting-down')
  async show(
    @CurrentOrganization() organization: Organization,
    @FilterQuery({ ...QUESTION, limit: 'text' }, { beside: [] })
    { limit, ...asked }: Filter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CompletenessView> {
    const found = await this.reports.run(
      ...([organization, questionOf(asked), limitOf(limit), closedSignal(reply)] as const),
    );
    return completenessView(organization, this.settings.financeBackend === 'embedded', found);
  }

  @Get('differing')
  @Answers(
    DifferingEntitiesPage,
    'List the orders and payouts of a period that differ, the first made first',
    'As they stand in `items` of the comparison, and those that follow there: `after` is what it has, or the page before. What all of them come to is not said.',
  )
  @ApiProblems('shutting-down')
  async differing(
    @CurrentOrganization() organization: Organization,
    @FilterQuery({ ...QUESTION, limit: 'text', after: 'text' }, { beside: [] })
    { limit, after, ...asked }: Filter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DifferingEntitiesPage> {
    const page = { limit: limitOf(limit), after: after === undefined ? undefined : placeOf(after) };
    const found = await this.reports.differing(
      ...([organization, questionOf(asked), page, closedSignal(reply)] as const),
    );
    return differingView(organization, found);
  }

  @Post('repair')
  @Answers(
    CompletenessRepairView,
    'Say how what is missing of a period would be repaired, or have it done',
    'First without effects: the answer names its plan. With `dryRun` false and that plan, dead letters and deliveries with something missing are worked on again by the ordinary worker, which books each effect once, and the source is compared with its provider’s list from the first day on where that was not done. 409 with the plan as it is now where that is another one.',
  )
  @ApiProblems('conflict', 'shutting-down')
  repair(
    @CurrentActor() actor: Actor,
    @JsonBody(CompletenessRepairBody, { refuseUnknown: true }) body: CompletenessRepairBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CompletenessRepairView> {
    return this.repairs.repair(actor, body, closedSignal(reply));
  }
}

/** @throws Problem malformed-request */
function questionOf(asked: Filter): CompletenessQuestion {
  return { from: needed(asked, 'from'), to: needed(asked, 'to'), source: needed(asked, 'source') };
}

function needed(asked: Filter, name: string): string {
  const text = asked[name];
  if (text === undefined) throw new Problem('malformed-request', `${name} is required`);
  return text;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LISTED;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new Problem('malformed-request', 'limit must be a whole number from 1');
  return Math.min(limit, MOST_LISTED);
}

/** @throws Problem malformed-request when it is none */
function placeOf(after: string): EntityPlace {
  const [at, key] = readCursor(after) ?? [];
  const madeAt = new Date(typeof at === 'string' ? at : NaN);
  if (typeof key !== 'string' || Number.isNaN(madeAt.getTime()))
    throw new Problem('malformed-request', 'after must be what the page before has as after');
  return { madeAt, key };
}
