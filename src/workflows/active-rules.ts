import { Injectable } from '@nestjs/common';
import type { EventType } from '../events/event';
import type { CompiledRule } from '../rules/compiled-rule';
import type { DocumentKey } from '../kernel/document-key';
import { grouped } from '../kernel/grouped';
import type { LookupTables } from '../rules/lookup-table';
import { Candidates } from '../rules/candidates';
import { budgetExcess } from '../rules/event-budget';
import { inOrder } from '../rules/rule-order';

/** What one organization's events are matched with. */
export interface OrganizationRules {
  rules: readonly CompiledRule[];
  tables: LookupTables;
  /** By which its documents are named in business keys. */
  documentKey: DocumentKey;
}

/** The rules that listen to one event, in the order in which they are tried. */
export interface ListeningRules extends OrganizationRules {
  /** Why they cannot be held against an event together; undefined when they can. */
  excess?: string | undefined;
  /** The same rules, to be found by what an event says. */
  candidates: Candidates;
}

interface ByEvent {
  readonly all: OrganizationRules;
  readonly byEvent: ReadonlyMap<EventType, ListeningRules>;
  readonly none: ListeningRules;
}

const NONE: ByEvent = byEvent({ rules: [], tables: new Map(), documentKey: undefined });

/** The compiled rules in force, by organization. Replaced as a whole, never edited. */
@Injectable()
export class ActiveRules {
  private byOrganization: ReadonlyMap<string, ByEvent> = new Map();
  private unread: ReadonlySet<string> = new Set();

  /**
   * Replaces the rules of all organizations.
   * @param except organizations that keep what they have, because this version of Ponte cannot read all of theirs: what
   *   they have is good for previews, and nothing is worked on by it
   */
  replace(all: ReadonlyMap<string, OrganizationRules>, except: ReadonlySet<string> = new Set()): void {
    const kept = [...this.byOrganization].filter(([id]) => except.has(id));
    this.unread = except;
    const read = [...all].filter(([id]) => !except.has(id)).map(([id, own]) => [id, byEvent(own)] as const);
    this.byOrganization = new Map([...read, ...kept]);
  }

  /**
   * Organizations with a rule in force that this version of Ponte cannot read, as during an upgrade: their deliveries are
   * left to replicas that can. Working by the others of their rules, or by older ones, would do half of what is wanted.
   */
  get unreadOrganizations(): ReadonlySet<string> {
    return this.unread;
  }

  /** Every enabled rule of an organization, with its tables. */
  of(organizationId: string): OrganizationRules {
    return (this.byOrganization.get(organizationId) ?? NONE).all;
  }

  /** The enabled rules that listen to an event, in the order in which they are tried, with the organization's tables. */
  listeningTo(organizationId: string, event: EventType): ListeningRules {
    const { byEvent: rules, none } = this.byOrganization.get(organizationId) ?? NONE;
    return rules.get(event) ?? none;
  }
}

/** Put in order and reckoned once, and not for each event. */
function byEvent(all: OrganizationRules): ByEvent {
  const { rules, tables, documentKey } = all;
  const groups = [...grouped(inOrder(rules), ({ event }) => event)];
  const listening = groups.map(
    ([event, own]) =>
      [
        event,
        { rules: own, tables, documentKey, excess: budgetExcess(own), candidates: new Candidates(own) },
      ] as const,
  );
  return { all, byEvent: new Map(listening), none: noRules(all) };
}

function noRules({ tables, documentKey }: OrganizationRules): ListeningRules {
  return { rules: [], tables, documentKey, candidates: new Candidates([]) };
}
