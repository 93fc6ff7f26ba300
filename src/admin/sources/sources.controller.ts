import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
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
} from './sources.dto';

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
