import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { announceOwn } from '../../finance/embedded/changes/announce';
import type { Actor } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { Problem, type ProblemMember, unacceptable } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import {
  CATEGORY,
  CATEGORY_GROUP,
  COST_CENTER,
  type MasterRecord,
  type RecordFields,
  type RecordKind,
} from './record-kind';
import { RecordsRepository } from './records.repository';
import { type ChangeBody, givenFields, type Reasoned } from './bodies.dto';

/** Makes, changes, deletes and revives the simple records, with the audit log. */
@Injectable()
export class MasterRecords {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem conflict with the identifier of the record that has the code, deleted or not */
  async create(kind: RecordKind, actor: Actor, body: Reasoned): Promise<MasterRecord> {
    const given = givenFields(body) as RecordFields;
    const fields = Object.fromEntries(kind.fields.map((name) => [name, given[name] ?? null]));
    const record: MasterRecord = { id: newId(), ...fields, deleted: false };
    return this.database.transaction(async (tx) => {
      await this.check(tx, kind, actor, record);
      if (!(await this.records.insert(tx, kind, actor.organization.id, record.id, fields)))
        throw codeTaken(
          kind,
          await this.records.byCode(tx, kind, actor.organization.id, fields[kind.code] ?? null),
        );
      await this.log(tx, kind, actor, 'create', body.reason, undefined, record);
      await this.announce(tx, kind, actor.organization, undefined, record);
      return record;
    });
  }

  /** @throws Problem not-found */
  async read(kind: RecordKind, organization: Organization, id: string): Promise<MasterRecord> {
    const record = await this.records.find(kind, organization.id, id);
    if (!record) throw noSuch(kind);
    return record;
  }

  /**
   * Writes the fields that are given. A deleted record can only be revived.
   * @throws Problem not-found; conflict, for a code that is taken among others
   */
  async change(kind: RecordKind, actor: Actor, id: string, body: ChangeBody): Promise<MasterRecord> {
    const fields = givenFields(body) as RecordFields;
    return this.database.transaction(async (tx) => {
      const before = await this.records.lock(tx, kind, actor.organization.id, id);
      if (!before) throw noSuch(kind);
      if (before.deleted && body.deleted !== false)
        throw new Problem('conflict', `The ${kind.title} is deleted; "deleted": false revives it`);
      const after: MasterRecord = { ...before, ...fields, deleted: false };
      await this.check(tx, kind, actor, after, before);
      if (!(await this.records.update(tx, kind, id, fields, null))) throw codeTaken(kind);
      await this.log(tx, kind, actor, 'change', body.reason, before, after);
      await this.announce(tx, kind, actor.organization, before, after);
      return after;
    });
  }

  /** What names it keeps it, marked as deleted; its code stays taken. @throws Problem not-found, also the second time */
  async remove(kind: RecordKind, actor: Actor, id: string, reason?: string | null): Promise<void> {
    await this.database.transaction(async (tx) => {
      const before = await this.records.lock(tx, kind, actor.organization.id, id);
      if (!before || before.deleted) throw noSuch(kind);
      const after = { ...before, deleted: true };
      await this.check(tx, kind, actor, after, before);
      await this.records.update(tx, kind, id, {}, this.clock.now());
      await this.log(tx, kind, actor, 'delete', reason, before, after);
      await this.announce(tx, kind, actor.organization, before, after);
    });
  }

  /** Connectors hear of cost centers alone; one that is deleted is removed for them, one that is revived is new. */
  private async announce(
    tx: Transaction,
    kind: RecordKind,
    organization: Organization,
    before: MasterRecord | undefined,
    after: MasterRecord,
  ): Promise<void> {
    if (kind !== COST_CENTER || isDeepStrictEqual(before, after)) return;
    const wasListed = before?.deleted === false;
    const type = after.deleted ? 'removed' : wasListed ? 'updated' : 'created';
    await announceOwn(tx, organization, [{ type: `cost-center.${type}`, id: after.id }], this.clock.now());
  }

  /** What must hold between records. @param before absent for a new one */
  private async check(
    tx: Transaction,
    kind: RecordKind,
    { organization }: Actor,
    after: MasterRecord,
    before?: MasterRecord,
  ): Promise<void> {
    if (kind === CATEGORY_GROUP && after.deleted && (await this.records.hasLiveCategories(tx, after.id)))
      throw new Problem('conflict', 'The category group has categories that are not deleted');
    if (kind !== CATEGORY || after.deleted) return;
    if (!(await this.records.lockLiveGroup(tx, organization.id, String(after['groupId']))))
      throw unacceptable('/groupId', 'unknown', 'there is no such category group');
    if (before && before['type'] !== after['type'] && (await this.records.isCategoryUsed(tx, after.id)))
      throw new Problem('conflict', 'The category is used, so its type cannot change');
  }

  private log(
    tx: Transaction,
    kind: RecordKind,
    actor: Actor,
    deed: 'create' | 'change' | 'delete',
    reason: string | null | undefined,
    before: MasterRecord | undefined,
    after: MasterRecord,
  ): Promise<void> {
    return this.audit.record(tx, actor, {
      action: `${kind.name}.${deed}`,
      subject: after.id,
      before: before && stateOf(before),
      after: stateOf(after),
      reason,
    });
  }
}

function stateOf({ id: _id, ...state }: MasterRecord): Record<string, string | boolean | null> {
  return state;
}

function noSuch(kind: RecordKind): Problem {
  return new Problem('not-found', `The organization has no such ${kind.title}`);
}

function codeTaken(kind: RecordKind, taken?: MasterRecord): Problem {
  const identifier: ProblemMember = `${kind.model}Id`;
  return new Problem('conflict', `Another ${kind.title} has this ${kind.code}`, {
    ...(taken && { members: { [identifier]: taken.id, deleted: taken.deleted } }),
  });
}
