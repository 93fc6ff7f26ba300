import { openTestDatabase } from '../../test/support/database';
import { newId } from '../kernel/identifier';
import type { Database } from './database';

const ID = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';

type Columns = Record<string, unknown>;

/** An acceptable row of each table, from which every case changes one thing. */
const ACCEPTABLE: Record<string, Columns> = {
  organization: { slug: 'shop-1', name: 'Shop', time_zone: 'America/Sao_Paulo', currency: 'BRL' },
  api_key: { name: 'key', hash: `\\x${'0a'.repeat(32)}` },
  source: { organization_id: ID, slug: 'store', provider: 'shopify', settings: {} },
  rule: { organization_id: ID, name: 'r', version: 1 },
  rule_version: { organization_id: ID, name: 'r', version: 1, document: '' },
  delivery: {
    organization_id: ID,
    source_id: ID,
    topic: 't',
    dedupe_key: 'd',
    lane: 'l',
    attributes: {},
    received_at: '2026-01-01',
    ready_at: '2026-01-01',
  },
  run: {
    organization_id: ID,
    delivery_id: ID,
    event_index: 0,
    event_type: 'order.paid',
    business_key: 'b',
    rule: 'r',
    rule_version: 1,
    state: 'done',
    plan: {},
    steps: [],
    finished_at: '2026-01-01',
  },
  effect: {
    organization_id: ID,
    key: 'k',
    operation: 'o',
    state: 'applied',
    amount_minor: 0,
    output: {},
    run_id: ID,
    step: 's',
    updated_at: '2026-01-01',
  },
  attention: {
    organization_id: ID,
    delivery_id: ID,
    run_id: ID,
    business_key: 'b',
    code: 'c',
    detail: 'd',
    amount_minor: 0,
    created_at: '2026-01-01',
  },
  bank: { organization_id: ID, code: '001', name: 'Bank' },
  category: { organization_id: ID, group_id: ID, name: 'Sales', reference_code: '1.1', type: 'in' },
  stakeholder: { organization_id: ID, kind: 'customer', name: 'Someone', details: {} },
  schedule: {
    organization_id: ID,
    kind: 'credit',
    stakeholder_id: ID,
    description: 'd',
    value_minor: 100,
    open_minor: 100,
    schedule_date: '2026-01-01',
    accrual_date: '2026-01-01',
    due_date: '2026-01-01',
    group_id: ID,
    instalment: 1,
    instalment_count: 3,
  },
  entry: {
    organization_id: ID,
    kind: 'receipt',
    date: '2026-01-01',
    amount_minor: 1,
    debit_book: 'account',
    debit_id: ID,
    credit_book: 'receivable',
    credit_id: ID,
  },
  audit_entry: { actor: 'a', action: 'b', subject: 'c' },
};

function recurrenceRow(id: string): Columns {
  return {
    id,
    organization_id: ID,
    interval_type: 'month',
    interval: 1,
    first_due_date: '2026-01-01',
    made: 1,
    stakeholder_id: ID,
    description: '',
    value_minor: 100,
    schedule_date: '2026-01-01',
  };
}

describe('what the tables refuse by themselves', () => {
  let database: Database;
  let statements = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
    await insert('category_group', { id: ID, organization_id: ID, name: 'g', reference_code: '1' });
    await insert('stakeholder', { ...ACCEPTABLE.stakeholder, id: ID });
  });

  afterAll(() => database.close());

  /** Inserts a row in a transaction of its own; columns that are left out take their defaults. */
  async function insert(table: string, row: Columns): Promise<void> {
    const names = Object.keys(row)
      .map((name) => `"${name}"`)
      .join();
    await database.query(
      {
        name: `insert-${statements++}`,
        text: `INSERT INTO "${table}" (${names}) SELECT ${names} FROM jsonb_populate_record(NULL::"${table}", $1)`,
      },
      [JSON.stringify(row)],
    );
  }

  function rowOf(table: string, changes: Columns): Columns {
    const identity = ['rule', 'rule_version', 'effect'].includes(table) ? {} : { id: newId() };
    return { ...identity, ...ACCEPTABLE[table], ...changes };
  }

  it.each<[table: string, constraint: string, changes: Columns]>([
    ['organization', 'organization_slug_shape', { slug: 'Shop' }],
    ['organization', 'organization_slug_shape', { slug: '-shop' }],
    ['organization', 'organization_slug_shape', { slug: 'shop/1' }],
    ['organization', 'organization_slug_shape', { slug: 's'.repeat(64) }],
    ['organization', 'organization_currency_shape', { currency: 'brl' }],
    ['api_key', 'api_key_hash_length', { hash: '\\x0a' }],
    ['source', 'source_slug_shape', { slug: 'my store' }],
    ['rule', 'rule_version_from_one', { version: 0 }],
    ['rule_version', 'rule_version_version_from_one', { version: 0 }],
    ['delivery', 'delivery_keys_not_empty', { lane: '' }],
    ['delivery', 'delivery_keys_not_empty', { dedupe_key: '' }],
    ['delivery', 'delivery_attempts_not_negative', { attempts: -1 }],
    ['delivery', 'delivery_done_is_dated', { state: 'done' }],
    ['delivery', 'delivery_dead_says_why', { state: 'dead' }],
    ['run', 'run_event_index_not_negative', { event_index: -1 }],
    ['run', 'run_rule_version_from_one', { rule_version: 0 }],
    ['run', 'run_refused_says_why', { state: 'refused' }],
    ['effect', 'effect_key_not_empty', { key: '' }],
    ['effect', 'effect_amount_not_negative', { amount_minor: -1 }],
    ['effect', 'effect_refused_says_why', { state: 'refused' }],
    ['attention', 'attention_amount_not_negative', { amount_minor: -1 }],
    ['bank', 'bank_code_shape', { code: '1' }],
    ['category', 'category_type_known', { type: 'both' }],
    ['stakeholder', 'stakeholder_document_type_known', { document_type: 'CPF', document: '1' }],
    ['stakeholder', 'stakeholder_cpf_shape', { document_type: 'Cpf', document: '123.456.789-09' }],
    ['stakeholder', 'stakeholder_cpf_shape', { document_type: 'Cpf' }],
    ['stakeholder', 'stakeholder_cnpj_shape', { document_type: 'Cnpj', document: '12abc34501de35' }],
    ['schedule', 'schedule_value_above_zero', { value_minor: 0, open_minor: 0 }],
    ['schedule', 'schedule_open_within_value', { open_minor: -1 }],
    ['schedule', 'schedule_open_within_value', { open_minor: 101 }],
    ['schedule', 'schedule_instalment_within_count', { instalment: 0 }],
    ['schedule', 'schedule_instalment_within_count', { instalment: 4 }],
    ['entry', 'entry_amount_above_zero', { amount_minor: 0 }],
    ['entry', 'entry_between_two_books', { credit_book: 'account' }],
    ['entry', 'entry_reversal_names_its_entry', { kind: 'reversal' }],
    ['entry', 'entry_reversal_names_its_entry', { reverses_id: OTHER }],
  ])('%s: %s refuses %j', async (table, constraint, changes) => {
    await expect(insert(table, rowOf(table, changes))).rejects.toThrow(`"${constraint}"`);
  });

  it.each(Object.keys(ACCEPTABLE))('%s takes an acceptable row', async (table) => {
    await insert(table, rowOf(table, {}));
  });

  it.each<[table: string, changes: Columns]>([
    ['schedule', { open_minor: 0, instalment: 3 }],
    ['entry', { kind: 'transfer', credit_book: 'account', credit_id: OTHER }],
    ['entry', { id: OTHER }],
    // The mirror of the one before.
    ['entry', { kind: 'reversal', reverses_id: OTHER, debit_book: 'receivable', credit_book: 'account' }],
    ['stakeholder', { document_type: 'Cnpj', document: '12ABC34501DE35' }],
    ['effect', { key: 'none', amount_minor: null }],
  ])('%s takes %j', async (table, changes) => {
    await insert(table, rowOf(table, changes));
  });

  it.each([
    ['entry', `UPDATE "entry" SET description = 'other'`, 'UPDATE'],
    ['entry', `DELETE FROM "entry"`, 'DELETE'],
    ['entry', `TRUNCATE "entry" CASCADE`, 'TRUNCATE'],
    ['audit_entry', `UPDATE "audit_entry" SET actor = 'other'`, 'UPDATE'],
    ['audit_entry', `DELETE FROM "audit_entry"`, 'DELETE'],
    ['audit_entry', `TRUNCATE "audit_entry"`, 'TRUNCATE'],
  ])('%s is append-only: %s is refused', async (table, text, operation) => {
    await insert(table, rowOf(table, {}));
    const count = { name: `count-${table}`, text: `SELECT count(*)::int AS count FROM "${table}"` };
    const before = await database.query(count, []);
    await expect(database.query({ name: `change-${statements++}`, text }, [])).rejects.toThrow(
      `${table} is append-only: ${operation} is refused`,
    );
    expect(await database.query(count, [])).toEqual(before);
  });

  it.each([
    ['stakeholder', `DELETE FROM "stakeholder"`, 'DELETE'],
    ['stakeholder', `TRUNCATE "stakeholder" CASCADE`, 'TRUNCATE'],
    ['category', `DELETE FROM "category"`, 'DELETE'],
    ['cost_center', `DELETE FROM "cost_center"`, 'DELETE'],
  ])('%s is named by schedules, and never removed: %s is refused', async (table, text, operation) => {
    await expect(database.query({ name: `change-${statements++}`, text }, [])).rejects.toThrow(
      `rows of ${table} are never removed: ${operation} is refused`,
    );
  });

  it('takes an entry back once, and makes an occurrence once', async () => {
    const [entry, recurrence] = [newId(), newId()];
    await insert('entry', rowOf('entry', { id: entry }));
    const { debit_id, credit_id } = ACCEPTABLE['entry'] as Columns;
    const reversal = { kind: 'reversal', reverses_id: entry, debit_id: credit_id, credit_id: debit_id };
    const mirrored = { ...reversal, debit_book: 'receivable', credit_book: 'account' };
    await insert('entry', rowOf('entry', mirrored));
    await expect(insert('entry', rowOf('entry', mirrored))).rejects.toThrow('entry_reverses_id_key');
    await insert('recurrence', recurrenceRow(recurrence));
    const occurrence = { recurrence_id: recurrence, occurrence: 1 };
    await insert('schedule', rowOf('schedule', occurrence));
    await expect(insert('schedule', rowOf('schedule', occurrence))).rejects.toThrow(
      'schedule_recurrence_id_occurrence_key',
    );
  });

  it('walks the waiting deliveries by an index that has nothing else', async () => {
    const rows = await database.query<{ indexdef: string }>(
      {
        name: 'indexes',
        text: `SELECT indexdef FROM pg_indexes WHERE tablename LIKE '%delivery' AND indexdef LIKE '%WHERE%'`,
      },
      [],
    );
    expect(rows.map(({ indexdef }) => indexdef.replace(/^.*USING btree /, '')).sort()).toEqual([
      "(lane, seq) WHERE (state = 'waiting'::delivery_state)",
      "(ready_at, seq) WHERE (state = 'waiting'::delivery_state)",
      '(received_at, id) WHERE (waits_for IS NOT NULL)',
    ]);
  });
});
