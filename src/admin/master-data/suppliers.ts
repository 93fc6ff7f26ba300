import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { type StakeholderFields, withChanges } from '../../finance/embedded/customers/stakeholder-changes';
import type { Actor } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { givenFields } from './bodies.dto';
import type { StakeholderRecordView } from './stakeholders.dto';
import { StakeholdersRepository } from './stakeholders.repository';
import type { NewSupplierBody, SupplierChangeBody } from './suppliers.dto';

const NOTHING: StakeholderFields = {
  name: '',
  email: null,
  phone: null,
  document: null,
  documentType: null,
  details: {},
};

/** Makes, changes, deletes and revives suppliers. The audit log names the fields and holds none of their values. */
@Injectable()
export class Suppliers {
  constructor(
    private readonly database: Database,
    private readonly stakeholders: StakeholdersRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem conflict with `supplierId` when the document is taken, by a deleted supplier too */
  async create(actor: Actor, body: NewSupplierBody): Promise<StakeholderRecordView> {
    const id = newId();
    const fields = withChanges(NOTHING, body);
    await this.database.transaction(async (tx) => {
      if (!(await this.stakeholders.insert(tx, actor.organization.id, id, fields)))
        throw documentTaken(await this.stakeholders.byDocument(tx, actor.organization.id, fields.document));
      await this.log(tx, actor, 'create', id, body);
    });
    return this.read(actor.organization, id);
  }

  /** @throws Problem not-found */
  async read(organization: Organization, id: string): Promise<StakeholderRecordView> {
    const found = await this.stakeholders.find('supplier', organization.id, id);
    if (!found) throw noSuchSupplier();
    return found;
  }

  /** @throws Problem not-found; conflict with `supplierId` when the document is taken */
  async change(actor: Actor, id: string, body: SupplierChangeBody): Promise<StakeholderRecordView> {
    await this.database.transaction(async (tx) => {
      const before = await this.stakeholders.lock(tx, actor.organization.id, id);
      if (!before) throw noSuchSupplier();
      if (before.deleted && body.deleted !== false)
        throw new Problem('conflict', 'The supplier is deleted; "deleted": false revives it');
      const fields = withChanges(before, body);
      if (fields.document !== null && fields.document !== before.document) {
        const taken = await this.stakeholders.byDocument(tx, actor.organization.id, fields.document);
        if (taken) throw documentTaken(taken);
      }
      if (!(await this.stakeholders.update(tx, id, fields, null)))
        throw new Problem('conflict', 'Another supplier has this document');
      await this.log(tx, actor, 'change', id, body, before.deleted);
    });
    return this.read(actor.organization, id);
  }

  /** What names it keeps it, marked as deleted. @throws Problem not-found, also the second time */
  async remove(actor: Actor, id: string, reason?: string | null): Promise<void> {
    await this.database.transaction(async (tx) => {
      const before = await this.stakeholders.lock(tx, actor.organization.id, id);
      if (!before || before.deleted) throw noSuchSupplier();
      await this.stakeholders.update(tx, id, before, this.clock.now());
      await this.log(tx, actor, 'delete', id, { reason });
    });
  }

  private log(
    tx: Transaction,
    actor: Actor,
    deed: 'create' | 'change' | 'delete',
    subject: string,
    body: { reason?: string | null },
    wasDeleted = false,
  ): Promise<void> {
    const { reason } = body;
    return this.audit.record(tx, actor, {
      action: `supplier.${deed}`,
      subject,
      ...(deed !== 'create' && { before: { deleted: wasDeleted } }),
      after: { fields: Object.keys(givenFields(body)).sort(), deleted: deed === 'delete' },
      reason,
    });
  }
}

function documentTaken(taken: { id: string; deleted: boolean } | undefined): Problem {
  return new Problem('conflict', 'A supplier with this document is registered already', {
    ...(taken && { members: { supplierId: taken.id, deleted: taken.deleted } }),
  });
}

function noSuchSupplier(): Problem {
  return new Problem('not-found', 'The organization has no such supplier');
}
