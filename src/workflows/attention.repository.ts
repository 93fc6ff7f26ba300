import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { appendChanges, type Change } from '../feed/changes/changes.repository';
import type { Attention } from '../finance/api/effects/attention';
import { newId } from '../kernel/identifier';
import { Money } from '../kernel/money';
import type { Organization } from '../kernel/organization';

/** Something that needs a person, and what it came of. */
export interface LeftToPerson {
  readonly organization: Organization;
  /** Null: it is about a source, and no delivery of it. */
  readonly deliveryId: string | null;
  /** Null: no rule had to do with it. */
  readonly runId: string | null;
  readonly businessKey: string;
  readonly attention: Attention;
  /** Raised only where nothing under its key and code is on the list. */
  readonly isOnceOpen?: true;
  /** A rule deals with it now: nothing is raised, and what was raised before it did is resolved. */
  readonly isDealtWith?: true;
}

/** Stores attention items: nothing failed, but a person must act. */
@Injectable()
export class AttentionRepository {
  /** Raises what no rule deals with, and resolves what one deals with now. */
  async record(tx: Transaction, items: readonly LeftToPerson[], now: Date): Promise<void> {
    await this.raise(
      tx,
      await this.notOpen(
        tx,
        items.filter(({ isDealtWith }) => !isDealtWith),
      ),
      now,
    );
    await this.resolve(
      tx,
      items.filter(({ isDealtWith }) => isDealtWith),
      now,
    );
  }

  /** Takes off the list whatever is on it under this key and code: what it asked for has ended by itself. */
  async end(
    tx: Transaction,
    {
      organization,
      businessKey,
      code,
    }: Pick<LeftToPerson, 'organization' | 'businessKey'> & Pick<Attention, 'code'>,
    now: Date,
  ): Promise<void> {
    await tx.attention.updateMany({
      where: { organizationId: organization.id, businessKey, code, resolvedAt: null },
      data: { resolvedAt: now },
    });
  }

  /** Those that are raised whatever is on the list, and those of which nothing is. */
  private async notOpen(tx: Transaction, items: readonly LeftToPerson[]): Promise<LeftToPerson[]> {
    const wanted: LeftToPerson[] = [];
    for (const item of items) {
      const { organization, businessKey, attention, isOnceOpen } = item;
      const where = { organizationId: organization.id, businessKey, code: attention.code, resolvedAt: null };
      if (!isOnceOpen || !(await tx.attention.findFirst({ where, select: { id: true } }))) wanted.push(item);
    }
    return wanted;
  }

  /** Takes off the list what is on it of these. */
  private async resolve(tx: Transaction, items: readonly LeftToPerson[], now: Date): Promise<void> {
    if (items.length === 0) return;
    const rows = items.map(({ organization, businessKey, attention: { code, detail } }) => ({
      organization_id: organization.id,
      business_key: businessKey,
      code,
      detail,
    }));
    await tx.$executeRaw`
      update attention set resolved_at = ${now}
      where id in (
        select a.id from attention a
        join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(
          organization_id uuid, business_key text, code text, detail text)
          using (organization_id, business_key, code, detail)
        where a.resolved_at is null
        order by a.id for update of a)`;
  }

  /** Stores each and appends it to the feed, unless the same code is stored for the same business key already. */
  private async raise(tx: Transaction, items: readonly LeftToPerson[], now: Date): Promise<void> {
    if (items.length === 0) return;
    const named = items.map((item) => ({ ...item, id: newId() }));
    const rows = named.map(({ id, organization, deliveryId, runId, businessKey, attention }) => ({
      id,
      organization_id: organization.id,
      delivery_id: deliveryId,
      run_id: runId,
      business_key: businessKey,
      code: attention.code,
      detail: attention.detail,
      amount_minor: Money.parse(attention.amount, currencyOf(organization, attention)).minor.toString(),
      currency: attention.currency ?? null,
    }));
    const raised = await tx.$queryRaw<{ id: string }[]>`
      insert into attention
        (id, organization_id, delivery_id, run_id, business_key, code, detail, amount_minor, currency, created_at)
      select a.id, a.organization_id, a.delivery_id, a.run_id, a.business_key, a.code, a.detail, a.amount_minor,
        a.currency, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a(
        id uuid, organization_id uuid, delivery_id uuid, run_id uuid, business_key text, code text, detail text,
        amount_minor bigint, currency text)
      on conflict (organization_id, business_key, code, detail) do nothing
      returning id::text as id`;
    const first = new Set(raised.map(({ id }) => id));
    const told = named.filter(({ id }) => first.has(id)).map(changeOf);
    await appendChanges(tx, told, now);
  }
}

function changeOf({
  id,
  organization,
  businessKey,
  deliveryId,
  attention,
}: LeftToPerson & { id: string }): Change {
  const { code, detail, amount } = attention;
  return {
    organizationId: organization.id,
    type: 'attention.required',
    recordId: id,
    businessKey,
    ...(deliveryId !== null && { deliveryId }),
    data: { code, detail, value: amount, currency: currencyOf(organization, attention) },
  };
}

function currencyOf({ currency }: Organization, attention: Attention): string {
  return attention.currency ?? currency;
}
