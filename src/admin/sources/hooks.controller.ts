import { Controller, Get, Post } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { Answers } from '../operation';
import { RepairHooksBody, SourceHooksView } from './hooks.dto';
import { SlugParam } from './slug-param';
import { SourceHookAdministration } from './source-hook-administration';

/** The webhooks that providers have registered for sources. */
@OperatorsApi('Sources')
@Controller('admin/organizations/:org/sources/:slug/hooks')
export class SourceHooksController {
  constructor(private readonly administration: SourceHookAdministration) {}

  @Get()
  @Answers(
    SourceHooksView,
    'List the webhooks that the provider has for a source, and what is wrong with them',
  )
  show(
    @CurrentOrganization() organization: Organization,
    @SlugParam() slug: string,
  ): Promise<SourceHooksView> {
    return this.administration.show(organization, slug);
  }

  @Post('repair')
  @Answers(
    SourceHooksView,
    'Make the webhooks that are missing and mend those that are wrong, as a dry run said; webhooks of others stay as they are',
  )
  repair(
    @CurrentActor() actor: Actor,
    @SlugParam() slug: string,
    @JsonBody(RepairHooksBody, { optional: true }) body?: RepairHooksBody,
  ): Promise<SourceHooksView> {
    return this.administration.repair(actor, slug, body ?? {});
  }
}
