import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { OperatorsApi } from '../../http/api';
import { type Caller, CurrentCaller, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { PublicRoot } from '../../http/public-address';
import type { Organization } from '../../kernel/organization';
import { SlugParam } from './slug-param';
import { type ShownSource, SourceAdministration } from './source-administration';
import {
  NewSecretBody,
  NewSourceBody,
  SourceChangeBody,
  SourceList,
  SourceReasonBody,
  SourceView,
} from './sources.dto';

const SLUG = { name: 'slug', description: "The source's slug", schema: { type: 'string' } } as const;

/** Where webhooks come from. */
@OperatorsApi('Sources')
@Controller('admin/organizations/:org/sources')
export class SourcesController {
  constructor(private readonly administration: SourceAdministration) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a source; the reply says where the provider has to send its webhooks' })
  @ApiCreatedResponse({ type: SourceView })
  async create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @PublicRoot() root: string,
    @JsonBody(NewSourceBody) body: NewSourceBody,
  ): Promise<SourceView> {
    return view(await this.administration.create(organization, caller, body), organization, root);
  }

  @Get()
  @ApiOperation({ summary: 'List the sources, newest first' })
  @ApiOkResponse({ type: SourceList })
  async list(
    @CurrentOrganization() organization: Organization,
    @PublicRoot() root: string,
  ): Promise<SourceList> {
    const sources = await this.administration.list(organization);
    return { items: sources.map((source) => view(source, organization, root)), after: null };
  }

  @Get(':slug')
  @ApiParam(SLUG)
  @ApiOperation({ summary: 'Show a source and how it is doing' })
  @ApiOkResponse({ type: SourceView })
  async show(
    @CurrentOrganization() organization: Organization,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
  ): Promise<SourceView> {
    return view(await this.administration.show(organization, slug), organization, root);
  }

  @Patch(':slug')
  @ApiParam(SLUG)
  @ApiOperation({ summary: 'Change the settings of a source, as a whole' })
  @ApiOkResponse({ type: SourceView })
  async change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceChangeBody) body: SourceChangeBody,
  ): Promise<SourceView> {
    return view(await this.administration.change(organization, caller, slug, body), organization, root);
  }

  @Post(':slug/secrets')
  @HttpCode(200)
  @ApiParam(SLUG)
  @ApiOperation({ summary: 'Add a secret; those before stay live until they are retired' })
  @ApiOkResponse({ type: SourceView })
  async addSecret(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(NewSecretBody) { secret, reason }: NewSecretBody,
  ): Promise<SourceView> {
    const source = await this.administration.addSecret(organization, caller, slug, secret, reason);
    return view(source, organization, root);
  }

  @Delete(':slug/secrets')
  @ApiParam(SLUG)
  @ApiOperation({ summary: 'Retire every secret but the newest' })
  @ApiOkResponse({ type: SourceView })
  async retireSecrets(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceReasonBody) body?: SourceReasonBody,
  ): Promise<SourceView> {
    const source = await this.administration.retireSecrets(organization, caller, slug, body?.reason);
    return view(source, organization, root);
  }

  @Post(':slug/pause')
  @HttpCode(200)
  @ApiParam(SLUG)
  @ApiOperation({ summary: 'Receive nothing until the source is resumed; what was received is worked on' })
  @ApiOkResponse({ type: SourceView })
  async pause(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceReasonBody, { optional: true }) body?: SourceReasonBody,
  ): Promise<SourceView> {
    const source = await this.administration.setPaused(organization, caller, slug, true, body?.reason);
    return view(source, organization, root);
  }

  @Post(':slug/resume')
  @HttpCode(200)
  @ApiParam(SLUG)
  @ApiOperation({ summary: 'Receive again' })
  @ApiOkResponse({ type: SourceView })
  async resume(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @PublicRoot() root: string,
    @SlugParam() slug: string,
    @JsonBody(SourceReasonBody, { optional: true }) body?: SourceReasonBody,
  ): Promise<SourceView> {
    const source = await this.administration.setPaused(organization, caller, slug, false, body?.reason);
    return view(source, organization, root);
  }
}

function view(source: ShownSource, organization: Organization, root: string): SourceView {
  const { record, secretCount, status } = source;
  const { id, slug, provider, settings, paused } = record;
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
    webhookUrl: `${root}/hooks/${organization.slug}/${slug}`,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    status: {
      receiving: reason === null,
      reason,
      lastReceivedAt: status.lastReceivedAt?.toISOString() ?? null,
      lastRefusedAt: status.lastRefusedAt?.toISOString() ?? null,
      lastRefusal: status.lastRefusal,
      waiting: status.waiting,
      dead: status.dead,
      unhandled: status.unhandled,
      lastUnhandledAt: status.lastUnhandledAt?.toISOString() ?? null,
      lastUnhandledEvents: status.lastUnhandledEvents,
    },
  };
}
