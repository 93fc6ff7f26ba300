import { Controller, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { type Actor, CurrentActor } from '../../http/caller';
import { LinesBody } from '../../http/lines-body';
import { type Filter, FilterQuery } from '../filter-query';
import { Answers } from '../operation';
import { ReasonQuery } from '../reason-query';
import { ImportView } from './imports.dto';
import { firstLine, SourceImports } from './source-imports';
import { SlugParam } from './slug-param';

const BODY =
  "One record a line, as the provider's webhooks have it or as its API gives it: 1 MiB and 10,000 lines at most. More is sent in several requests, cut at the end of a line";

/** What was not received. */
@OperatorsApi('Sources')
@Controller('admin/organizations/:org/sources')
export class ImportsController {
  constructor(private readonly imports: SourceImports) {}

  @Post(':slug/import')
  @ApiQuery({
    name: 'line',
    required: false,
    description: 'Number of the first line in its file',
    schema: { type: 'integer', minimum: 1, default: 1 },
  })
  @ApiProblems('conflict', 'source-paused')
  @Answers(
    ImportView,
    'Import what was not received; what is known already changes nothing',
    'Each line is stored as its webhook would have been, and worked on like it. The same lines may be sent again.',
  )
  take(
    @CurrentActor() actor: Actor,
    @SlugParam() slug: string,
    @FilterQuery({ topic: 'text' }, { beside: ['line', 'reason'] }) { topic }: Filter,
    @ReasonQuery() reason: string | undefined,
    @LinesBody(BODY) body: Buffer,
    @Query('line') line?: unknown,
  ): Promise<ImportView> {
    return this.imports.take(actor, slug, body, { topic, reason, first: firstLine(line) });
  }
}
