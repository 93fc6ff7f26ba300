import { Controller, Delete, Get, Patch, Post, Put, Query, Param } from '@nestjs/common';
import { OperatorsApi, ApiProblems } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { PublicRoot } from '../../http/public-address';
import type { Organization } from '../../kernel/organization';
import { Answers, Creates } from '../operation';
import { SlugParam } from './slug-param';
import { type ShownSource, SourceAdministration } from './source-administration';
import {
  CredentialsBody,
  NewSecretBody,
  NewSourceBody,
  SourceChangeBody,
  SourceList,
  SourceReasonBody,
  SourceView,
  ImportView,
} from './sources.dto';
import { RepairHooksBody, SourceHooksView } from './hooks.dto';
import { SourceHookAdministration } from './source-hook-administration';
import { ApiQuery, ApiParam } from '@nestjs/swagger';
import { LinesBody } from '../../http/lines-body';
import { type Filter, FilterQuery } from '../filter-query';
import { ReasonQuery } from '../reason-query';
import { firstLine, SourceImports } from './source-imports';
import { Problem } from '../../kernel/problem';
import { settingsOf } from '../../sources/check-settings';
import type { SourceProvider } from '../../sources/source';
import { SourceProviders } from '../../sources/source-providers';
import { ProviderList, ProviderView, type SettingView } from './providers.dto';

/** Where webhooks come from. */
@OperatorsApi('Sources')
@Controller('admin/organizations/:org/sources')
export class SourcesController {
  constructor(private readonly administration: SourceAdministration) {}

  @Post()
  @Creates(SourceView, 'Make a source; the reply says where the provider has to send its webhooks')
  async create(
    @CurrentActor() actor: Actor,
    @PublicRoot() root: string,
    @JsonBody(NewSourceBody) body: NewSourceBody,
  ): Promise<SourceView> {
    return view(await this.administration.create(actor, body), actor.organization, root);
  }

  @Get()
  @Answers(SourceList, 'List the sources, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @PublicRoot() root: string,
  ): Promise<SourceList> {
    const sources = await this.administration.list(organization);
    return { items: sources.map((source) => view(source, organization, root)), after: null };
  }

  @Get(':slug')
  @Answers(SourceView, 'Show a source and how it is doing')
  async show(
    @CurrentOrganization() organization: Organization,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
  ): Promise<SourceView> {
    return view(await this.administration.show(organization, slug), organization, root);
  }

  @Patch(':slug')
  @Answers(SourceView, 'Change the settings of a source, as a whole')
  async change(
    @CurrentActor() actor: Actor,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceChangeBody) body: SourceChangeBody,
  ): Promise<SourceView> {
    return view(await this.administration.change(actor, slug, body), actor.organization, root);
  }

  @Post(':slug/secrets')
  @Answers(SourceView, 'Add a secret; those before stay live until they are retired')
  async addSecret(
    @CurrentActor() actor: Actor,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(NewSecretBody) { secret, reason }: NewSecretBody,
  ): Promise<SourceView> {
    const source = await this.administration.addSecret(actor, slug, secret, reason);
    return view(source, actor.organization, root);
  }

  @Delete(':slug/secrets')
  @Answers(SourceView, 'Retire every secret but the newest')
  async retireSecrets(
    @CurrentActor() actor: Actor,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceReasonBody) body?: SourceReasonBody,
  ): Promise<SourceView> {
    const source = await this.administration.retireSecrets(actor, slug, body?.reason);
    return view(source, actor.organization, root);
  }

  @Put(':slug/credentials')
  @Answers(SourceView, "Set what the provider's API is asked with, as a whole; it is never shown again")
  async setCredentials(
    @CurrentActor() actor: Actor,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(CredentialsBody) { credentials, reason }: CredentialsBody,
  ): Promise<SourceView> {
    const source = await this.administration.setCredentials(actor, slug, credentials, reason);
    return view(source, actor.organization, root);
  }

  @Post(':slug/pause')
  @Answers(SourceView, 'Receive nothing until the source is resumed; what was received is worked on')
  async pause(
    @CurrentActor() actor: Actor,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceReasonBody, { optional: true }) body?: SourceReasonBody,
  ): Promise<SourceView> {
    const source = await this.administration.setPaused(actor, slug, true, body?.reason);
    return view(source, actor.organization, root);
  }

  @Post(':slug/resume')
  @Answers(SourceView, 'Receive again')
  async resume(
    @CurrentActor() actor: Actor,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceReasonBody, { optional: true }) body?: SourceReasonBody,
  ): Promise<SourceView> {
    const source = await this.administration.setPaused(actor, slug, false, body?.reason);
    return view(source, actor.organization, root);
  }
}

function view(source: ShownSource, organization: Organization, root: string): SourceView {
  const { record, secretCount, credentialNames, secretInAddress, status } = source;
  const { id, slug, provider, settings, paused, createdAt, updatedAt } = record;
  const reason = paused
    ? 'it is paused'
    : secretCount === 0
      ? 'it has no secret, so it refuses everything'
      : null;
  return {
    id,
    slug,
    provider,
    settings,
    paused,
    secretCount,
    credentials: credentialNames,
    webhookUrl: `${root}/hooks/${organization.slug}/${slug}${secretInAddress ? '/{secret}' : ''}`,
    createdAt,
    updatedAt,
    status: { receiving: reason === null, reason, ...status },
  };
}

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

/** What sources there can be. */
@OperatorsApi('Sources')
@Controller('admin/organizations/:org/providers')
export class ProvidersController {
  constructor(private readonly providers: SourceProviders) {}

  @Get()
  @Answers(ProviderList, 'List the providers, with what can be set on their sources and how to connect them')
  list(): ProviderList {
    return { items: this.providers.all.map(providerView), after: null };
  }

  @Get(':id')
  @ApiParam({ name: 'id', description: "The provider's id, such as `shopify`" })
  @Answers(ProviderView, 'Show a provider')
  show(@Param('id') id: string): ProviderView {
    const provider = this.providers.find(id);
    if (!provider) throw new Problem('not-found', 'There is no such provider');
    return providerView(provider);
  }
}

function providerView(provider: SourceProvider): ProviderView {
  const { id, title, api, hooks, setUp } = provider;
  const shown = Object.entries(settingsOf(provider)).map(
    ([name, { required = false, ...spec }]): [string, SettingView] => [name, { ...spec, required }],
  );
  return {
    id,
    title,
    settings: Object.fromEntries(shown),
    credentials: { ...api?.credentials },
    registersWebhooks: hooks !== undefined,
    setUp: [...setUp],
  };
}
