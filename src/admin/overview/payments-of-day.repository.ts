import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { alongAnIndex } from '../../database/along-an-index';
import { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import type { CalendarDate } from '../../kernel/calendar-date';
import { isUuid, lowestIdAt } from '../../kernel/identifier';
import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { DaySpan } from './day-hours';
import { MOST_OF_DAY, type OfDay } from './overview.repository';

/** What a payment is summed by. */
interface PaidTo {
  /** UUID */
  readonly accountId: string;
  /** Null: Ponte has not seen the account. */
  readonly accountName: string | null;
  /** The slug of the source that its key begins with; null: it begins with none. */
  readonly source: string | null;
  /** As the shop spells it; null: no message that is known named one for the payment. */
  readonly gateway: string | null;
  readonly minor: bigint;
}

/** Receipts of one account, one source and one gateway. */
export interface ReceiptSum extends PaidTo {
  /** A payment that settled several receivables is one. */
  readonly payments: number;
}

/** The receipts of one payment in one account. */
export interface PaymentOfDay extends PaidTo {
  /** Its key, or the identifier of its receipt where it has none: tells it apart from the others of the day. */
  readonly payment: string;
  /** The key that a rule, or whoever booked it, gave it; null: none. */
  readonly key: string | null;
  /** How many receivables it settled. */
  readonly receipts: number;
}

/** Which payments of a day are asked for; null: those that have none, absent: whatever they have. */
export interface PaymentFilter {
  readonly accountId?: string | undefined;
  readonly source?: string | null | undefined;
  readonly gateway?: string | null | undefined;
}

/** The last payment of the page before. */
export type PaymentPosition = Pick<PaymentOfDay, 'payment' | 'accountId'>;

/**
 * The money that came in on a day. On Ponte's own books: receipts with its date. Before a remote finance service: receipts that
 * Ponte asked for on the day and that are in effect, whatever their date. What was taken back in the own books is left out, and
 * write-offs everywhere: their receipts stand against a payment of the same sum.
 */
@Injectable()
export class PaymentsOfDay {
  /** Whether Ponte keeps the books itself. */
  readonly isLedger: boolean;

  constructor(
    private readonly database: Database,
    settings: Settings,
  ) {
    this.isLedger = settings.financeBackend === 'embedded';
  }

  /** What came in, by account, source and gateway together. */
  sums(organization: Organization, day: CalendarDate, span: DaySpan): Promise<OfDay<ReceiptSum>> {
    return this.read<ReceiptSum>(
      ...[organization, day, span],
      Prisma.sql`
        select r.account as "accountId", r.name as "accountName", s.slug as source, g.gateway, sum(r.minor)::bigint as minor,
          count(distinct r.payment)::int as payments
        from r ${joinFactsOf(organization.id)}
        group by r.account, r.name, s.slug, g.gateway`,
    );
  }

  /**
   * A name that is written wrongly must not look as if no money had come. Gateways are as shops spell them, and accounts of
   * a finance service elsewhere are known to it alone: of these nothing is refused but what is no identifier.
   * @throws Problem malformed-request when the organization has no such source or account
   */
  async requireKnown({ id }: Organization, { accountId, source }: PaymentFilter): Promise<void> {
    const { prisma } = this.database;
    const own = { organizationId: id };
    if (source && (await prisma.source.count({ where: { ...own, slug: source } })) === 0)
      throw new Problem('malformed-request', 'source names no source of the organization');
    if (accountId === undefined) return;
    const isKnown =
      isUuid(accountId) &&
      (!this.isLedger || (await prisma.account.count({ where: { ...own, id: accountId } })) > 0);
    if (!isKnown) throw new Problem('malformed-request', 'account names no account of the organization');
  }

  /** The payments that the sums are made of, by their keys. @param limit as many as are read at most */
  list(
    organization: Organization,
    day: CalendarDate,
    span: DaySpan,
    { accountId, source, gateway }: PaymentFilter,
    { after, limit }: { after?: PaymentPosition | undefined; limit: number },
  ): Promise<OfDay<PaymentOfDay>> {
    const conditions = [
      Prisma.sql`true`,
      ...(accountId === undefined ? [] : [Prisma.sql`r.account = ${accountId}`]),
      ...(source === undefined ? [] : [Prisma.sql`s.slug is not distinct from ${source}::text`]),
      ...(gateway === undefined ? [] : [Prisma.sql`g.gateway is not distinct from ${gateway}::text`]),
      ...(after ? [Prisma.sql`(r.payment, r.account) > (${after.payment}, ${after.accountId})`] : []),
    ];
    return this.read<PaymentOfDay>(
      ...[organization, day, span],
      Prisma.sql`
        select r.account as "accountId", r.name as "accountName", s.slug as source, g.gateway, sum(r.minor)::bigint as minor,
          r.payment, r.key, count(*)::int as receipts
        from r ${joinFactsOf(organization.id)}
        where ${Prisma.join(conditions, ' and ')}
        group by r.payment, r.account, r.name, r.key, s.slug, g.gateway
        order by r.payment, r.account limit ${limit}`,
    );
  }

  /** @param selected of the receipts, `r` */
  private read<Row extends PaidTo>(
    organization: Organization,
    day: CalendarDate,
    span: DaySpan,
    selected: Prisma.Sql,
  ): Promise<OfDay<Row>> {
    const receipts = this.isLedger ? booked(organization, day) : applied(organization, span);
    return this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      const found = await tx.$queryRaw<(Partial<Row> & { read: number })[]>`
        with ${receipts}, p as (${selected})
        select n.read, p.* from n left join p on true`;
      const complete = (found[0]?.read ?? 0) <= MOST_OF_DAY;
      // Where there is nothing, what was read stands alone.
      const rows = found.filter(({ accountId }) => accountId !== null) as unknown as Row[];
      return { rows: this.isLedger ? rows : await named(tx, organization.id, rows), complete };
    });
  }
}

/** Receipts as `r`, and as `n` how many rows were read for them. */
function booked({ id }: Organization, day: CalendarDate): Prisma.Sql {
  return Prisma.sql`
    r as materialized (
      select a.id::text as account, a.name, e.amount_minor as minor, e.key, coalesce(e.key, e.id::text) as payment
      from account a cross join lateral (
        select e.id, e.amount_minor, coalesce(e.identifier, e.reference) as key from entry e
        where e.debit_id = a.id and e.date = ${day.toString()}::date and e.debit_book = 'account' and e.kind = 'receipt'
          and not exists (select from entry r where r.reverses_id = e.id)
          and not exists (select from effect w
            where w.organization_id = e.organization_id and w.key = 'write-off/' || e.identifier)
      ) e
      where a.organization_id = ${id}::uuid limit ${MOST_OF_DAY + 1}
    ), n as (select count(*)::int as read from r)`;
}

/** The same of calls to a remote finance service. */
function applied({ id, currency }: Organization, { from, to }: DaySpan): Prisma.Sql {
  const decimals = Money.exponentOf(currency);
  const [first, end] = [lowestIdAt(from), lowestIdAt(to)];
  return Prisma.sql`
    c as materialized (
      select effect_key, operation, request -> 'body' as body from finance_call
      where organization_id = ${id}::uuid and state = 'applied' and id >= ${first}::uuid and id < ${end}::uuid
      order by organization_id, state, id limit ${MOST_OF_DAY + 1}
    ), r as materialized (
      select c.body ->> 'accountId' as account, null::text as name, k.key, coalesce(k.key, c.effect_key) as payment,
        round((c.body ->> 'value')::numeric * power(10::numeric, ${decimals}::int)) as minor
      from c cross join lateral (select coalesce(c.body ->> 'identifier', c.body ->> 'reference') as key) k
      where c.operation in ('receipts.registerForSchedule', 'receipts.register')
        and not starts_with(c.effect_key, 'write-off/')
        and c.body ->> 'value' ~ '^[0-9]{1,15}([.][0-9]{1,6})?$' and c.body ->> 'accountId' is not null
    ), n as (select count(*)::int as read from c)`;
}

/**
 * Joins the source that the key of a receipt begins with, and the gateway of the payment that it names: it is the payment's key,
 * or that with more behind it, as a settlement's is. Each is looked up by the order's key (`limit`), and sources are read once
 * (`offset`), whatever the planner believes of the tables.
 */
function joinFactsOf(organizationId: string): Prisma.Sql {
  return Prisma.sql`
    left join (select id, slug from source where organization_id = ${organizationId}::uuid offset 0) s
      on s.slug = split_part(r.key, '/', 1)
    left join lateral (
      select f.gateways ->> (f.key || '/payment/' || split_part(split_part(r.key, '/payment/', 2), '/', 1)) as gateway
      from money_facts f where f.source_id = s.id and f.key = split_part(r.key, '/payment/', 1) limit 1
    ) g on true`;
}

/** With the names of accounts as change detection saw them last. */
async function named<Row extends PaidTo>(
  tx: Transaction,
  organizationId: string,
  payments: readonly Row[],
): Promise<Row[]> {
  const ids = [...new Set(payments.map(({ accountId }) => accountId).filter(isUuid))];
  const rows = await tx.$queryRaw<{ id: string; name: string }[]>`
    select record_id::text as id, data ->> 'name' as name from watch_record
    where organization_id = ${organizationId}::uuid and kind = 'accounts' and record_id = any(${ids}::uuid[])
      and data ->> 'name' is not null`;
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return payments.map((payment) => ({
    ...payment,
    accountName: names.get(payment.accountId.toLowerCase()) ?? null,
  }));
}
