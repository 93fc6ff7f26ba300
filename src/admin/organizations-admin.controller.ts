import { Controller, Get, Inject, Patch, Post } from '@nestjs/common';
import { CONFIGURATION } from '../config/config.module';
import { DEFAULT_PROFILE, parseYaml, type Configuration } from '../config/configuration';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { Catalog } from '../deliveries/catalog';
import { applyChart, type Chart } from '../finance/embedded/chart/chart';
import { readChart } from '../finance/embedded/chart/read-chart';
import { Clock } from '../kernel/clock';
import { isUuid } from '../kernel/identifier';
import { Problem, unacceptable } from '../kernel/problem';
import { type RetentionChange, unreadBeforeRead } from '../kernel/retention';
import { SourceProviders } from '../sources/source-providers';
import { AuditRepository } from './audit.repository';
import {
  type CheckedConfiguration,
  checkConfiguration,
  rulesFor,
  unknownProfile,
} from './check-configuration';
import { FolderWrites } from './folder-writes';
import type { ListPage } from '../kernel/list-page';
import { OperatorsApi } from '../http/api';
import { CurrentActor, type Actor, CurrentOrganization, CurrentCaller, type Caller } from '../http/caller';
import { JsonBody } from '../http/json-body';
import type { Organization } from '../kernel/organization';
import { OrganizationsRepository, type OrganizationRecord } from '../organizations/organizations.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';
import { Answers, AnswersPage, Creates } from './operation';
import {
  ChangedOrganizationView,
  NewOrganizationBody,
  OrganizationChangeBody,
  OrganizationView,
  type ProfileChangeView,
} from './organizations.dto';
import { ProfileChanges } from './profile-changes';

@OperatorsApi('Organizations')
@Controller('admin/organizations')
export class OrganizationsAdminController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly providers: SourceProviders,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly catalog: Catalog,
    private readonly writes: FolderWrites,
    private readonly profiles: ProfileChanges,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem scope-missing for any but the operators' key; conflict when the slug is taken */
  @Post()
  @Creates(OrganizationView, "Make an organization, with a chart of accounts on request; operators' key only")
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(NewOrganizationBody) body: NewOrganizationBody,
  ): Promise<OrganizationRecord> {
    if (!caller.isOperator) throw new Problem('scope-missing', "Only the operators' key makes organizations");
    const { slug, name, timeZone = 'America/Sao_Paulo', currency = 'BRL', profile = DEFAULT_PROFILE } = body;
    if (isUuid(slug)) throw unacceptable('/slug', 'text', 'must not look like a UUID');
    const chart = body.chart ? this.chart(body.chart) : undefined;
    const folder = this.folder();
    refuseUnknownProfile(folder, profile);
    const rules = body.rules === 'none' ? undefined : rulesFor(folder, profile);
    const made = await this.database.transaction(async (tx) => {
      // First, like everybody: changes take turns, and no two can wait for each other.
      if (rules) await this.catalog.changed(tx);
      const organization = await this.organizations.create({ slug, name, timeZone, currency, profile }, tx);
      if (chart) await applyChart(tx, organization, chart, this.clock.now());
      if (rules) await this.writes.putRules(tx, organization.id, profile, folder);
      const record = await this.organizations.record(organization.id, tx);
      await this.audit.record(tx, caller, {
        organizationId: record.id,
        action: 'organization.create',
        subject: record.id,
        after: {
          ...stateOf(record),
          ...(body.chart && { chart: body.chart }),
          rules: rules ? [...rules.keys()].sort() : [],
        },
        reason: body.reason,
      });
      return record;
    });
    if (rules) await this.catalog.refresh();
    return made;
  }

  @Get()
  @AnswersPage(OrganizationView, 'List the organizations the key may see, newest first')
  async list(
    @CurrentCaller() caller: Caller,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<OrganizationRecord>> {
    if (!caller.organization)
      return operatorsPage(await this.organizations.records(page.limit, page.after), page);
    return { items: [await this.organizations.record(caller.organization.id)], after: null };
  }

  @Get(':org')
  @Answers(OrganizationView, 'Read one organization')
  get(@CurrentOrganization() organization: Organization): Promise<OrganizationRecord> {
    return this.organizations.record(organization.id);
  }

  /**
   * @throws Problem conflict for another currency once there are entries, and for a profile whose rules could not work
   *   together with the others; validation-failed
   */
  @Patch(':org')
  @Answers(ChangedOrganizationView, 'Change an organization; its currency only while nothing is booked')
  async change(
    @CurrentActor() actor: Actor,
    @JsonBody(OrganizationChangeBody) { slug, reason, profile, ...body }: OrganizationChangeBody,
  ): Promise<ChangedOrganizationView> {
    const change = { ...body, ...retentionOf(body) };
    if (slug !== undefined && slug !== actor.organization.slug)
      throw unacceptable('/slug', 'unchangeable', 'cannot change: it is part of every webhook address');
    const folder = profile === undefined ? undefined : this.folder();
    if (folder && profile !== undefined) refuseUnknownProfile(folder, profile);
    const changed = await this.database.transaction(async (tx) => {
      // Sources know the time zone and currency of whom they belong to.
      await this.catalog.changed(tx);
      const before = await this.organizations.lock(tx, actor.organization.id);
      const { currency = before.currency, defaultAccountId } = change;
      if (currency !== before.currency && (await this.organizations.hasEntries(tx, before.id)))
        throw new Problem('conflict', 'There are entries, so the currency cannot change');
      if (defaultAccountId && !(await this.organizations.hasAccount(tx, before.id, defaultAccountId)))
        throw unacceptable('/defaultAccountId', 'unknown', 'there is no such account');
      refuseUnreadBeforeRead({ ...before.retention, ...change.retention });
      await this.organizations.update(tx, before.id, change);
      const profileChange =
        folder && profile !== undefined && profile !== before.profile
          ? await this.changeProfile(tx, actor, before, { profile, reason }, folder)
          : null;
      const after = await this.organizations.record(before.id, tx);
      await this.audit.record(tx, actor, {
        action: 'organization.change',
        subject: after.id,
        before: stateOf(before),
        after: { ...stateOf(after), ...(profileChange && { profileChange: { ...profileChange } }) },
        reason,
      });
      return { ...after, profileChange };
    });
    await this.catalog.refresh();
    return changed;
  }

  private async changeProfile(
    tx: Transaction,
    actor: Actor,
    organization: OrganizationRecord,
    to: { profile: string; reason?: string | null },
    folder: CheckedConfiguration,
  ): Promise<ProfileChangeView> {
    const done = await this.profiles.apply(tx, actor, organization, to, folder);
    if ('problem' in done)
      throw new Problem('conflict', `With the profile ${to.profile}, ${done.problem}; correct that first`);
    return done;
  }

  /** @throws Error for a folder that is wrong: the start checks it, so there is none in a running service */
  private folder(): CheckedConfiguration {
    const checked = checkConfiguration(this.configuration, this.providers);
    if ('problems' in checked) throw new Error('the configuration was checked at the start and is wrong now');
    return checked;
  }

  /** Checked at start-up already, like all of the configuration. */
  private chart(name: string): Chart {
    const file = this.configuration.charts.find((candidate) => candidate.name === name);
    if (!file) throw unacceptable('/chart', 'unknown', 'there is no such chart in the configuration');
    return readChart(parseYaml(file.path, file.text), file.path);
  }
}

/** @throws Problem validation-failed with the nearest name */
function refuseUnknownProfile({ profiles }: CheckedConfiguration, profile: string): void {
  const unknown = unknownProfile(profiles.keys(), profile);
  if (unknown) throw unacceptable('/profile', 'unknown', unknown);
}

/** Bodies have two names here, which may not differ. What a member says that is left out is nothing. */
function retentionOf({ rawBodyDays, retention }: OrganizationChangeBody): { retention?: RetentionChange } {
  if (!retention) return {};
  const said = Object.fromEntries(Object.entries(retention).filter(([, days]) => days !== undefined));
  if (rawBodyDays !== undefined && retention.bodies !== undefined && retention.bodies !== rawBodyDays)
    throw unacceptable('/retention/bodies', 'differs', 'must be the same as rawBodyDays, or be left out');
  return { retention: said };
}

/** @throws Problem validation-failed */
function refuseUnreadBeforeRead(retention: RetentionChange): void {
  const wrong = unreadBeforeRead(retention);
  if (wrong) throw unacceptable(`/retention/${wrong.setting}`, 'range', wrong.message);
}

function stateOf({ id: _id, ...state }: OrganizationRecord): Omit<OrganizationRecord, 'id'> {
  return state;
}
