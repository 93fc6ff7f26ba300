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
  /**
   * It is what is left of a sum that only becomes less, under its key and code: it takes the place of more on the list, and is
   * not raised once less was. `in-place-of-more`: nor where more is not on the list.
   */
  readonly rest?: 'always' | 'in-place-of-more';
  /** A rule deals with it now: nothing is raised, and what was raised before it did is resolved. */
  readonly isDealtWith?: true;
  /** What it asked for has happened: nothing is raised, and whatever is on the list under its key and code is resolved. */
  readonly hasEnded?: true;
  /** The beginning of a sentence: one that begins so is the same. Of what has ended, only that. */
  readonly about?: string;
}

/** Stores attention items: nothing failed, but a person must act. */
@Injectable()
export class AttentionRepository {
  /** Raises what no rule deals with, and resolves what one deals with now, or what has ended. */
  async record(tx: Transaction, items: readonly LeftToPerson[], now: Date): Promise<void> {
    const isSettled = ({ isDealtWith, hasEnded }: LeftToPerson): boolean => isDealtWith ?? hasEnded ?? false;
    const open = items.filter((item) => !isSettled(item));
    const isRest = ({ rest }: LeftToPerson): boolean => rest !== undefined;
    const others = open.filter((item) => !isRest(item));
    await this.raise(tx, await this.notOpen(tx, others), now);
    await this.lessen(tx, open.filter(isRest), now);
    await this.resolve(tx, items.filter(isSettled), now);
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

  /** Raises what is left, where no less is known, and takes off the list what more is on it: one after the other, as it was said. */
  private async lessen(tx: Transaction, items: readonly LeftToPerson[], now: Date): Promise<void> {
    for (const item of items) {
      const { organization, businessKey, attention, rest } = item;
      const where = { organizationId: organization.id, businessKey, code: attention.code };
      const known = await tx.attention.findMany({ where });
      const amount = amountOf(item).minor;
      if (known.some(({ amountMinor }) => amountMinor < amount)) continue;
      const more = known.filter(({ amountMinor, resolvedAt }) => amountMinor > amount && resolvedAt === null);
      if (rest === 'in-place-of-more' && more.length === 0) continue;
      const ids = more.map(({ id }) => id);
      await tx.attention.updateMany({ where: { id: { in: ids } }, data: { resolvedAt: now } });
      await this.raise(tx, [item], now);
    }
  }

  /** Takes off the list what is on it of these. */
  private async resolve(tx: Transaction, items: readonly LeftToPerson[], now: Date): Promise<void> {
    if (items.length === 0) return;
    const rows = items.map(({ organization, businessKey, attention: { code, detail }, hasEnded, about }) => ({
      about: about ?? null,
      organization_id: organization.id,
      business_key: businessKey,
      code,
      detail: hasEnded || about !== undefined ? null : detail,
    }));
    await tx.$executeRaw`
      update attention set resolved_at = ${now}
      where id in (
        select a.id from attention a
        join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(
          organization_id uuid, business_key text, code text, detail text, about text)
          using (organization_id, business_key, code)
        where a.resolved_at is null and (d.detail is null or d.detail = a.detail)
          and (d.about is null or starts_with(a.detail, d.about))
        order by a.id for update of a)`;
  }

  /** Stores each and appends it to the feed, unless the same code is stored for the same business key already. */
  private async raise(tx: Transaction, items: readonly LeftToPerson[], now: Date): Promise<void> {
    if (items.length === 0) return;
    const named = onceAbout(items).map((item) => ({ ...item, id: newId() }));
    const rows = named.map(({ id, ...item }) => ({
      id,
      organization_id: item.organization.id,
      delivery_id: item.deliveryId,
      run_id: item.runId,
      business_key: item.businessKey,
      code: item.attention.code,
      detail: item.attention.detail,
      about: item.about ?? null,
      amount_minor: amountOf(item).minor.toString(),
      currency: item.attention.currency ?? null,
    }));
    const raised = await tx.$queryRaw<{ id: string }[]>`
      insert into attention
        (id, organization_id, delivery_id, run_id, business_key, code, detail, amount_minor, currency, created_at)
      select a.id, a.organization_id, a.delivery_id, a.run_id, a.business_key, a.code, a.detail, a.amount_minor,
        a.currency, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a(
        id uuid, organization_id uuid, delivery_id uuid, run_id uuid, business_key text, code text, detail text,
        about text, amount_minor bigint, currency text)
      where a.about is null or not exists (
        select from attention o where o.organization_id = a.organization_id and o.business_key = a.business_key
          and o.code = a.code and starts_with(o.detail, a.about))
      on conflict (organization_id, business_key, code, detail) do nothing
      returning id::text as id`;
    const first = new Set(raised.map(({ id }) => id));
    const changes = named.filter(({ id }) => first.has(id)).map(changeOf);
    await appendChanges(tx, changes, now);
  }
}

/** Of several whose sentences begin alike, the first. */
function onceAbout(items: readonly LeftToPerson[]): LeftToPerson[] {
  const seen = new Set<string>();
  return items.filter(({ organization, businessKey, attention, about = attention.detail }) => {
    const same = [organization.id, businessKey, attention.code, about].join('\n');
    return seen.size < seen.add(same).size;
  });
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

function amountOf({ organization, attention }: LeftToPerson): Money {
  return Money.parse(attention.amount, currencyOf(organization, attention));
}

function currencyOf({ currency }: Organization, attention: Attention): string {
  return attention.currency ?? currency;
}
