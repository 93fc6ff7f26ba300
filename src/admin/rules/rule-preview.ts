import { Injectable } from '@nestjs/common';
import { Catalog } from '../../deliveries/catalog';
import { EventsOfDeliveries } from '../../deliveries/stored-events';
import type { CanonicalEvent } from '../../events/event';
import { readEvent } from '../../events/read-event';
import { unacceptable } from '../../finance/outcome';
import type { LosslessJson } from '../../kernel/lossless-json';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { CompiledRule } from '../../rules/compiled-rule';
import { isRuleName, loadRule } from '../../rules/load-rule';
import type { LookupTables } from '../../rules/lookup-table';
import { planRule } from '../../rules/plan-rule';
import { RulesRepository } from '../../rules/rules.repository';
import { documentRefused } from './document-problems';
import type { PreviewBody, PreviewedEvent, RulePreviewView } from './preview.dto';
import { RuleAdministration } from './rule-administration';

/** What a rule is tried on. */
interface Subject {
  events: CanonicalEvent[];
  /** Why there are none. */
  reason: string | null;
}

/** Shows what a rule would do, with the very code that does it, up to where something would be changed. */
@Injectable()
export class RulePreview {
  constructor(
    private readonly rules: RulesRepository,
    private readonly administration: RuleAdministration,
    private readonly catalog: Catalog,
    private readonly deliveries: EventsOfDeliveries,
  ) {}

  /**
   * The rule in force, enabled or not, or a document that is not put. Nothing is written, and the finance system is
   * not asked: what it would refuse is not found out.
   * @throws Problem not-found for a rule or delivery that the organization has not; body-purged; validation-failed
   */
  async of(
    organization: Organization,
    name: string,
    { deliveryId, event, document }: PreviewBody,
  ): Promise<RulePreviewView> {
    if (!isRuleName(name)) throw new Problem('not-found', 'There is no such rule');
    if ((deliveryId === undefined) === (event === undefined))
      throw unacceptable('', 'one-of', 'either deliveryId or event is needed, and not both');
    const tables = await this.rules.tables(organization.id);
    const stored = document === undefined ? await this.administration.get(organization, name) : undefined;
    const rule = compiled(name, stored?.document ?? document ?? '', tables, stored?.version);
    const { events, reason } =
      deliveryId === undefined
        ? { events: [eventOf(event)], reason: null }
        : await this.eventsOf(organization, deliveryId);
    return {
      rule: rule.name,
      version: stored?.version ?? null,
      reason,
      events: events.map((each, index) => previewOf(rule, each, index, organization, tables)),
    };
  }

  private async eventsOf(organization: Organization, deliveryId: string): Promise<Subject> {
    // Another replica may have changed how the source is set.
    await this.catalog.refresh();
    const { understood } = await this.deliveries.read(organization, deliveryId);
    return {
      events: understood.work.map(({ event }) => event),
      reason: understood.unreadable ?? understood.ignored ?? null,
    };
  }
}

/** @param version absent: the document is not put */
function compiled(name: string, document: string, tables: LookupTables, version?: number): CompiledRule {
  const loaded = loadRule(document, { tables: tables.keys(), name }, version);
  if ('rule' in loaded) return loaded.rule;
  throw documentRefused(loaded.problems, version === undefined ? '/document' : '');
}

function eventOf(json: LosslessJson = null): CanonicalEvent {
  const read = readEvent(json);
  if ('event' in read) return read.event;
  const errors = read.faults.map((fault) => ({ ...fault, pointer: `/event${fault.pointer}` }));
  throw new Problem('validation-failed', 'The event is not as rules know events', { errors });
}

function previewOf(
  rule: CompiledRule,
  event: CanonicalEvent,
  index: number,
  organization: Organization,
  tables: LookupTables,
): PreviewedEvent {
  const told = { index, type: event.type, businessKey: event.key };
  const outcome = planRule(rule, event, { organization, tables });
  if (!outcome.matched) return { ...told, matched: false, refused: null, plan: null };
  if ('plan' in outcome)
    return { ...told, matched: true, refused: null, plan: { steps: outcome.plan.steps } };
  const { step = null, reason } = outcome.refused;
  return { ...told, matched: true, refused: { step, reason }, plan: null };
}
