import { Injectable } from '@nestjs/common';
import { Catalog } from '../../deliveries/catalog';
import { EventsOfDeliveries } from '../../deliveries/stored-events';
import type { CanonicalEvent } from '../../events/event';
import { writeJson } from '../../kernel/lossless-json';
import type { Organization } from '../../kernel/organization';
import { type FieldError, Problem, unacceptable } from '../../kernel/problem';
import { DocumentKeys } from '../../organizations/document-keys.repository';
import { isRuleName } from '../../rules/load-rule';
import { planRule } from '../../rules/plan-rule';
import { compareRules, type Ranked } from '../../rules/rule-order';
import { RulesRepository } from '../../rules/rules.repository';
import { ActiveRules } from '../../workflows/active-rules';
import { documentRefused } from './document-problems';
import type { PreviewBody, RulePreviewView } from './preview.dto';
import { RuleAdministration } from './rule-administration';
import type { EventText } from './trial';
import { Trials } from './trials';

/** What a rule is tried on. */
interface Subject {
  events: EventText[];
  /** Those of a stored delivery, on which the rules in force are tried as well. */
  stored: readonly CanonicalEvent[];
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
    private readonly trials: Trials,
    private readonly documentKeys: DocumentKeys,
    private readonly activeRules: ActiveRules,
  ) {}

  /**
   * The rule in force, enabled or not, or a document that is not put. Nothing is written, and the finance system is
   * not asked: what it would refuse is not found out.
   * @throws Problem not-found for a rule or delivery that the organization has not; body-purged; validation-failed,
   *   also when it takes too long; saturated
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
    const subject =
      deliveryId === undefined
        ? { events: [{ json: writeJson(event ?? null) }], stored: [], reason: null }
        : await this.eventsOf(organization, deliveryId);
    const { events, reason } = subject;
    const answer = await this.trials.preview({
      document: stored?.document ?? document ?? '',
      name,
      version: stored?.version,
      organization,
      documentKey: await this.documentKeys.of(organization.id),
      settings: await this.rules.settingsOf(organization.id, name),
      tables: new Map([...tables.values()].map((table) => [table.name, table.entries])),
      events,
    });
    if ('problems' in answer) throw documentRefused(answer.problems, stored ? '' : '/document');
    if ('faults' in answer) throw eventRefused(answer.faults);
    const matched = subject.stored.filter((_event, index) => answer.events[index]?.matched);
    const warnings = [
      ...(await this.administration.warningsOf(organization, answer.rule)),
      ...this.takenAway(organization, answer.rule, matched),
    ];
    return { rule: name, version: stored?.version ?? null, reason, events: answer.events, warnings };
  }

  /** A sentence for each rule in force that is tried before this one on an event, applies to it, not to all, and stops. */
  private takenAway(organization: Organization, rule: Ranked, events: readonly CanonicalEvent[]): string[] {
    const names = events.flatMap((event) => {
      const { rules, tables, documentKey } = this.activeRules.listeningTo(organization.id, event.type);
      const first = rules.find(
        (other) =>
          other.stop &&
          other.name !== rule.name &&
          other.conditions.length > 0 &&
          compareRules(other, rule) < 0 &&
          planRule(other, event, { organization, tables, documentKey }).matched,
      );
      return first?.name ?? [];
    });
    return [...new Set(names)].map(
      (name) =>
        `rule ${name} is tried before this one, applies to this delivery and stops: this one is not tried`,
    );
  }

  private async eventsOf(organization: Organization, deliveryId: string): Promise<Subject> {
    // Another replica may have changed how the source is set.
    await this.catalog.refresh();
    const { normalized } = await this.deliveries.read(organization, deliveryId);
    return {
      events: normalized.work.map(({ event }) => writtenEvent(event)),
      stored: normalized.work.map(({ event }) => event),
      reason: normalized.unreadable ?? normalized.ignored ?? null,
    };
  }
}

/** The payload goes as it is: it may be nested as deeply as an event as a whole may. */
function writtenEvent({ raw, ...event }: CanonicalEvent): EventText {
  return { json: JSON.stringify(event), raw };
}

function eventRefused(faults: readonly FieldError[]): Problem {
  const errors = faults.map((fault) => ({ ...fault, pointer: `/event${fault.pointer}` }));
  return new Problem('validation-failed', 'The event is not as rules know events', { errors });
}
