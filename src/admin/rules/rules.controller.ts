import { Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { TextBody } from '../../http/text-body';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { descriptionIn } from '../../rules/document/description';
import { RulesRepository, type RuleRecord } from '../../rules/rules.repository';
import { ReasonQuery } from '../reason-query';
import { Answers } from '../operation';
import { PreviewBody, RulePreviewView } from './preview.dto';
import { RuleAdministration } from './rule-administration';
import { RulePreview } from './rule-preview';
import { RuleSettings } from './rule-settings';
import { RuleSettingsBody, RuleSettingsView } from './rule-settings.dto';
import {
  PutRule,
  RuleChangeBody,
  RuleCheck,
  RuleDetail,
  RuleList,
  RuleVersionList,
  RuleView,
} from './rules.dto';

/** As people and programs call the form of a rule. */
const DOCUMENT = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/plain', 'application/json'];
const DOCUMENT_TEXT = 'The rule, YAML or JSON, at most 64 KiB';

/** A page of versions brings their documents along. */
const MAX_VERSIONS = 100;
const DEFAULT_VERSIONS = 20;

/** What is to become of events. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/rules')
export class RulesController {
  constructor(
    private readonly rules: RulesRepository,
    private readonly administration: RuleAdministration,
    private readonly previews: RulePreview,
    private readonly ruleSettings: RuleSettings,
  ) {}

  @Get()
  @Answers(RuleList, 'List the rules, all of them, by name')
  async list(@CurrentOrganization() organization: Organization): Promise<RuleList> {
    const rules = await this.rules.list(organization.id);
    const items = rules.map((rule) => ({ ...viewOf(rule), description: descriptionIn(rule.opening) }));
    return { items, after: null };
  }

  @Post('check')
  @Answers(RuleCheck, 'Say what is wrong with a rule, with line and column; nothing is stored')
  check(
    @CurrentOrganization() organization: Organization,
    @TextBody(DOCUMENT, DOCUMENT_TEXT) document: string,
  ): Promise<RuleCheck> {
    return this.administration.check(organization, document);
  }

  @Get(':name')
  @Answers(RuleDetail, 'Show a rule with the document in force')
  async show(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
  ): Promise<RuleDetail> {
    const rule = await this.administration.get(organization, name);
    return { ...viewOf(rule), document: rule.document };
  }

  @Put(':name')
  @Answers(PutRule, 'Put a rule into force; the same text again is the same version')
  @ApiQuery({
    ...{ name: 'version', required: false, schema: { type: 'integer', minimum: 0 } },
    description: 'The version that it was written from, 0 for a new rule: where another is in force, 409',
  })
  put(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @TextBody(DOCUMENT, DOCUMENT_TEXT) document: string,
    @ReasonQuery() reason: string | undefined,
    @Query('version') version?: unknown,
  ): Promise<PutRule> {
    const writtenFrom = numberOf('version', version, 0);
    return this.administration.put(actor, name, document, { reason, writtenFrom });
  }

  @Get(':name/versions')
  @Answers(RuleVersionList, 'List the versions of a rule with their documents, newest first')
  @ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, default: 20 } })
  @ApiQuery({ name: 'after', required: false, description: 'As the page before gave it' })
  async versions(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
    @Query('limit') limit?: unknown,
    @Query('after') after?: unknown,
  ): Promise<RuleVersionList> {
    const most = Math.min(numberOf('limit', limit) ?? DEFAULT_VERSIONS, MAX_VERSIONS);
    const before = numberOf('after', after);
    const rule = await this.administration.get(organization, name);
    const versions = await this.rules.versions(organization.id, rule.name, most, before);
    const last = versions.at(-1)?.version ?? 1;
    return {
      items: versions.map(({ version, createdAt, document }) => ({
        version,
        createdAt,
        inForce: version === rule.version,
        document,
      })),
      after: last > 1 ? String(last) : null,
    };
  }

  @Get(':name/settings')
  @Answers(RuleSettingsView, 'Show what can be set on a rule, and what is')
  settings(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
  ): Promise<RuleSettingsView> {
    return this.ruleSettings.show(organization, name);
  }

  @Put(':name/settings')
  @Answers(RuleSettingsView, 'Set what a rule declares, all of it at once, without changing its document')
  putSettings(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @JsonBody(RuleSettingsBody) { settings, reason }: RuleSettingsBody,
  ): Promise<RuleSettingsView> {
    return this.ruleSettings.put(actor, name, settings, reason ?? undefined);
  }

  @Post(':name/enable')
  @Answers(RuleView, 'Apply a rule to events again, from now on')
  async enable(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @JsonBody(RuleChangeBody, { optional: true }) body?: RuleChangeBody,
  ): Promise<RuleView> {
    return viewOf(await this.administration.enable(actor, name, body?.reason ?? undefined));
  }

  @Post(':name/disable')
  @Answers(RuleView, 'Apply a rule to no more events; it stays with all its versions')
  async disable(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @JsonBody(RuleChangeBody, { optional: true }) body?: RuleChangeBody,
  ): Promise<RuleView> {
    return viewOf(await this.administration.disable(actor, name, body?.reason ?? undefined));
  }

  @Post(':name/preview')
  @Answers(RulePreviewView, 'Show what a rule would do for a delivery or an event; nothing is done')
  @ApiProblems('shutting-down')
  preview(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
    @JsonBody(PreviewBody) body: PreviewBody,
  ): Promise<RulePreviewView> {
    return this.previews.of(organization, name, body);
  }
}

function viewOf({ name, version, enabled, event, createdAt }: RuleRecord): RuleView {
  return { name, version, enabled, event, createdAt };
}

function numberOf(name: string, text: unknown, least = 1): number | undefined {
  if (text === undefined) return undefined;
  const number = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (number < least) throw new Problem('malformed-request', `${name} must be a whole number from ${least}`);
  return number;
}
