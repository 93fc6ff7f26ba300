import { Injectable } from '@nestjs/common';
import type { EventType } from '../events/event';
import type { CompiledRule } from '../rules/compiled-rule';
import type { LookupTables } from '../rules/lookup-table';

/** What one organization's events are held against. */
export interface OrganizationRules {
  rules: readonly CompiledRule[];
  tables: LookupTables;
}

const NONE: OrganizationRules = { rules: [], tables: new Map() };

/** The compiled rules in force, by organization. Replaced as a whole, never edited. */
@Injectable()
export class RuleBook {
  private readonly byOrganization = new Map<string, OrganizationRules>();

  put(organizationId: string, rules: OrganizationRules): void {
    this.byOrganization.set(organizationId, rules);
  }

  /** The enabled rules that listen to an event, in the order of their names, with the organization's tables. */
  listeningTo(organizationId: string, event: EventType): OrganizationRules {
    const { rules, tables } = this.byOrganization.get(organizationId) ?? NONE;
    return { rules: rules.filter((rule) => rule.event === event), tables };
  }
}
