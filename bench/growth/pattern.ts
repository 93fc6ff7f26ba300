import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredService } from '../frame/measured-service';
import { SECRET } from '../frame/measured-service';
import { persistentLoop } from '../load/loops';
import { PaidOrders, type OrderKind } from '../load/paid-orders';

const ROOT = join(__dirname, '../..');
/** The company that is measured, and one beside it whose records lie between its own. */
const ORGANIZATIONS = [
  { slug: 'main', orders: 400 },
  { slug: 'beside', orders: 100 },
] as const;
/** What a shop says of an order: each is a delivery. */
const TOPICS = ['orders/create', 'orders/paid', 'orders/updated'] as const;
const CONNECTIONS = 32;
const POLL_EVERY_MS = 200;

/** Ponte's configuration for the companies of the pattern. @returns the folder, and what removes it */
export function patternConfiguration(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  for (const part of ['rules', 'profiles', 'chart', 'tables'])
    cpSync(join(ROOT, 'config', part), join(folder, part), { recursive: true });
  const organizations = ORGANIZATIONS.map(({ slug }) => ({
    slug,
    name: slug,
    timeZone: 'America/Sao_Paulo',
    currency: 'BRL',
    chart: 'brazil',
  }));
  const sources = ORGANIZATIONS.map(({ slug }) => ({
    organization: slug,
    slug: 'shopify',
    provider: 'shopify',
    secrets: [{ env: 'SHOPIFY_WEBHOOK_SECRET' }],
  }));
  // JSON is YAML, too.
  writeFileSync(join(folder, 'organizations.yaml'), JSON.stringify({ organizations }));
  writeFileSync(join(folder, 'sources.yaml'), JSON.stringify({ sources }));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Has a few hundred orders created, paid and updated, the whole way through the service; adds what shops do not
 * send: payables, receivables that are overdue.
 * @returns how many deliveries there are
 */
export async function drawPattern(service: MeasuredService, client: Client): Promise<number> {
  for (const { slug, orders } of ORGANIZATIONS) {
    for (const topic of TOPICS)
      await send(service.url, { secret: SECRET, organization: slug, topic, instalments: 3 }, orders);
  }
  while (await anythingLeft(client)) await sleep(POLL_EVERY_MS);
  await addPayables(client);
  await client.query(`update schedule set open_minor = value_minor, due_date = due_date - 10
    where id in (select id from schedule where kind = 'credit' and instalment = 3 order by id limit 20)`);
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from delivery');
  return rows[0]?.count ?? 0;
}

async function send(url: string, kind: OrderKind, count: number): Promise<void> {
  const orders = new PaidOrders(url, kind);
  const next = (): Buffer | undefined => (orders.last < count ? orders.next().request : undefined);
  await persistentLoop({ url, connections: CONNECTIONS, next });
}

/** Whether anything waits to be worked on, to have its place in the feed, or to be added to a balance. */
async function anythingLeft(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ left: boolean }>(`
    select exists (select from delivery where state = 'waiting') or exists (select from feed_waiting)
      or exists (select from account_balance_delta) as left`);
  return rows[0]?.left ?? false;
}

/** One payable for every four orders of the first company, half of them paid. */
async function addPayables(client: Client): Promise<void> {
  await client.query(`insert into stakeholder (id, organization_id, kind, name)
    select gen_random_uuid(), o.id, 'supplier', 'Fornecedor ' || i
    from organization o, generate_series(1, 5) as i where o.slug = 'main'`);
  await client.query(`insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor,
      open_minor, schedule_date, accrual_date, due_date, group_id)
    select s.id, s.organization_id, 'debit', p.id, 'Compra', s.value_minor,
      case when s.rank % 2 = 0 then s.value_minor else 0 end, s.due_date, s.due_date, s.due_date, s.id
    from (
      select *, row_number() over (order by made.id) as rank from (
        select overlay(c.id::text placing 'dddd' from 20 for 4)::uuid as id, c.organization_id, c.value_minor, c.due_date
        from schedule c join organization o on o.id = c.organization_id and o.slug = 'main'
        where c.instalment = 1 and c.kind = 'credit' order by c.id limit 100) made
    ) s
    cross join lateral (
      select id from stakeholder p where p.organization_id = s.organization_id and p.kind = 'supplier'
      order by id offset s.rank % 5 limit 1) p`);
}
