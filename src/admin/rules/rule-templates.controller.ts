import { Controller, Get, Inject, Param } from '@nestjs/common';
import { CONFIGURATION } from '../../config/config.module';
import type { Configuration } from '../../config/configuration';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { didYouMean, nearestName } from '../../kernel/nearest';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { OrganizationsRepository } from '../../organizations/organizations.repository';
import { Answers } from '../operation';
import { RuleTemplateDetail, RuleTemplateList } from './rules.dto';
import { ruleTemplates } from './rule-templates';

/** What a rule of one's own begins with. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/rule-templates')
export class RuleTemplatesController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly organizations: OrganizationsRepository,
  ) {}

  @Get()
  @Answers(RuleTemplateList, 'List what a rule can begin with: templates, and the rules of the configuration')
  async list(@CurrentOrganization() organization: Organization): Promise<RuleTemplateList> {
    const templates = await this.templates(organization);
    const items = [...templates.values()].map(({ name, event, description }) => ({
      name,
      event,
      description,
    }));
    return { items, after: null };
  }

  /** @throws Problem not-found with the nearest name */
  @Get(':name')
  @Answers(RuleTemplateDetail, 'Show a template with its document; nothing is put')
  async show(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
  ): Promise<RuleTemplateDetail> {
    const templates = await this.templates(organization);
    const found = templates.get(name);
    if (found) return found;
    throw new Problem(
      'not-found',
      `There is no such template${didYouMean(nearestName(name, templates.keys()))}`,
    );
  }

  private async templates({ id }: Organization): Promise<Map<string, RuleTemplateDetail>> {
    return ruleTemplates(this.configuration, (await this.organizations.record(id)).profile);
  }
}
