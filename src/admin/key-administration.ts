import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Actor } from '../http/caller';
import { Problem } from '../kernel/problem';
import { ApiKeys, type CreatedKey } from '../organizations/api-keys';
import type { Scope } from '../organizations/scope';
import { AuditRepository } from './audit.repository';

/** Makes and revokes an organization's API keys, with the audit log. */
@Injectable()
export class KeyAdministration {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeys,
    private readonly audit: AuditRepository,
  ) {}

  async create(actor: Actor, name: string, scopes: readonly Scope[]): Promise<CreatedKey> {
    return this.database.transaction(async (tx) => {
      const created = await this.keys.create(tx, actor.organization.id, name, scopes);
      await this.audit.record(tx, actor, {
        action: 'key.create',
        subject: created.id,
        after: { name, scopes: [...scopes] },
      });
      return created;
    });
  }

  /** @throws Problem not-found when the organization has no such live key */
  async revoke(actor: Actor, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const revoked = await this.keys.revoke(tx, actor.organization.id, id);
      if (!revoked) throw new Problem('not-found', 'There is no such live key');
      await this.audit.record(tx, actor, {
        action: 'key.revoke',
        subject: id,
        before: { name: revoked.name, scopes: revoked.scopes },
      });
    });
  }
}
