import { Injectable } from '@nestjs/common';
import type { EventType } from '../events/event';
import type { CompiledRule } from '../rules/compiled-rule';
import type { LookupTables } from '../rules/lookup-table';

/** What one organization's events are matched with. */
export interface OrganizationRules {
  rules: readonly CompiledRule[];
  tables: LookupTables;
}

const NONE: OrganizationRules = { rules: [], tables: new Map() };

/** The compiled rules in force, by organization. Replaced as a whole, never edited. */
@Injectable()
export class ActiveRules {
  private byOrganization: ReadonlyMap<string, OrganizationRules> = new Map();
  private unread: ReadonlySet<string> = new Set();

  /**
   * Replaces the rules of all organizations.
   * @param except organizations that keep what they have, because this version of Ponte cannot read all of theirs: what
   *   they have is good for previews, and nothing is worked on by it
   */
  replace(all: ReadonlyMap<string, OrganizationRules>, except: ReadonlySet<string> = new Set()): void {
    const kept = [...this.byOrganization].filter(([id]) => except.has(id));
    this.unread = except;
    this.byOrganization = new Map([...[...all].filter(([id]) => !except.has(id)), ...kept]);
  }

  /**
   * Organizations with a rule in force that this version of Ponte cannot read, as during an upgrade: their deliveries are
   * left to replicas that can. Working by the others of their rules, or by older ones, would do half of what is wanted.
   */
  get unreadOrganizations(): ReadonlySet<string> {
    return this.unread;
  }

  /** The enabled rules that listen to an event, in the order of their names, with the organization's tables. */
  listeningTo(organizationId: string, event: EventType): OrganizationRules {
    const { rules, tables } = this.byOrganization.get(organizationId) ?? NONE;
    return { rules: rules.filter((rule) => rule.event === event), tables };
  }
}
