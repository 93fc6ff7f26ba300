import { withClient } from '../frame/postgres-server';

/*
 * The whole unit of work as somebody would write it by hand who needs nothing else: the event with its body, the
 * customer, three instalments, the receipt, one idempotency record, the change of the balance. Tables have a primary
 * key and the unique index that the work needs, and no other. It does not verify, read or map anything, takes no turns
 * within an order, keeps no feed, no audit and no ledger entries, and finds no duplicate but by failing. The balance is
 * appended, as Ponte's: with one row for all, 32 clients would wait for each other.
 */
const TABLES = `
  create table unit_event (id uuid primary key, source_id uuid not null, dedupe_key text not null, lane text not null,
    body bytea not null, received_at timestamptz not null, unique (source_id, dedupe_key));
  create table unit_customer (id uuid primary key, organization_id uuid not null, document text not null,
    name text not null, email text, unique (organization_id, document));
  create table unit_schedule (id uuid primary key, organization_id uuid not null, customer_id uuid not null,
    value_minor bigint not null, open_minor bigint not null, due_date date not null, description text);
  create table unit_receipt (id uuid primary key, organization_id uuid not null, schedule_ids uuid[] not null,
    account_id uuid not null, value_minor bigint not null, date date not null);
  create table unit_idempotency (organization_id uuid not null, key text not null, outcome jsonb not null,
    primary key (organization_id, key));
  create table unit_balance (id uuid primary key, account_id uuid not null, delta_minor bigint not null);
  create sequence unit_number cache 100;`;

const ORGANIZATION = `'01900000-0000-7000-8000-000000000001'::uuid`;
const id = (table: string, number: string): string =>
  `('01900000-${table}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** The six inserts, of the number given by `n` (a column or a variable) for an order of customer `c`. */
function inserts(n: string, c: string, from = ''): string[] {
  const values = (list: string): string => (from ? `select ${list} ${from}` : `select ${list}`);
  return [
    `insert into unit_event ${values(
      `${id('0001', n)}, ${ORGANIZATION}, 'order-' || ${n}, 'order/' || ${n}, convert_to(:body::text, 'UTF8'), now()`,
    )}`,
    `insert into unit_customer ${values(
      `${id('0002', c)}, ${ORGANIZATION}, 'document-' || ${c}, 'Marina Tavares Lobo', 'marina.lobo@example.com'`,
    )} on conflict do nothing`,
    `insert into unit_schedule ${values(
      `${id('0003', `${n} * 3 + i`)}, ${ORGANIZATION}, ${id('0002', c)}, 33333, 0, current_date + 30 * i, 'Order ' || ${n}`,
    )} ${from ? ',' : 'from'} generate_series(0, 2) as i`,
    `insert into unit_receipt ${values(
      `${id('0004', n)}, ${ORGANIZATION},
        array[${id('0003', `${n} * 3`)}, ${id('0003', `${n} * 3 + 1`)}, ${id('0003', `${n} * 3 + 2`)}],
        ${ORGANIZATION}, 99999, current_date`,
    )}`,
    `insert into unit_idempotency ${values(`${ORGANIZATION}, 'order-' || ${n}, '{"status":"applied"}'::jsonb`)}`,
    `insert into unit_balance ${values(`${id('0005', n)}, ${ORGANIZATION}, 99999`)}`,
  ];
}

/** Each client counts for itself, so that no round trip is spent on a number. */
const NUMBERS = `\\set i :i + 1
\\set n :client_id * 1000000000 + :run * 10000000 + :i
\\set c :client_id * 1000000000 + :run * 10000000 + :i / 4
`;

/** One transaction in eight round trips; variables: `body`, `run` (below 100, another each time), `i` (0). */
export const EIGHT_ROUND_TRIPS = `${NUMBERS}begin;\n${inserts(':n::bigint', ':c::bigint').join(';\n')};\ncommit;\n`;

/** The same in one. */
export const ONE_STATEMENT = `${NUMBERS}with o as (select :n::bigint as n, :c::bigint as c)${inserts(
  'o.n',
  'o.c',
  'from o',
)
  .map((insert, index) => `,\n s${index} as (${insert})`)
  .join('')}\nselect;\n`;

export async function makeUnitTables(url: string): Promise<void> {
  await withClient(url, async (client) => void (await client.query(TABLES)));
}
