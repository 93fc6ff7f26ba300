import { bigintArray, intArray, textArray, uuidArray } from '../../database/binary-array';
import { packTexts } from '../../database/packed-texts';
import type { Transaction } from '../../database/transaction';
import { queryInTransaction } from '../../database/transaction-statements';
import { grouped } from '../../kernel/grouped';
import { newId } from '../../kernel/identifier';
import { CHANGE_TYPES, type ChangeType } from './change-types';

/** What happened to one record, without the record. */
export interface ChangeOfRecord {
  /** UUID */
  organizationId: string;
  type: ChangeType;
  /** UUID of the record. */
  recordId: string;
  /** Business key of the effect that did it, where one did. */
  businessKey?: string;
  /** UUID of the delivery that caused it, where one did. */
  deliveryId?: string;
}

/** What happened to one record. */
export interface Change extends ChangeOfRecord {
  /** JSON data: the record as `/v1` shows it. */
  data: object;
}

/** How the database makes the data of changes by itself. */
export interface DataStatement {
  /** A value of each change, in their order, by the name of the column of `change` that has it: `{ kind: … }`. */
  columns: Readonly<Record<string, ChangeColumn>>;
  /** A table that the data is made with, as a query. */
  table?: { name: string; query: (parameter: NamedParameter) => string };
  /**
   * SQL for the data as JSON text; null where it cannot be made. It may use the columns of `change`, those given here and
   * `record_id` and `at`, the time of the change.
   */
  data: (parameter: NamedParameter) => string;
  /**
   * For each change a name of its data, or undefined: changes of an organization with one name have the same data, which is
   * stored with the first of them. Absent: no two have.
   */
  names?: readonly (string | undefined)[];
  /** Whether people stand in the data by their identifiers alone, for readers to be shown them as the books have them. */
  peopleByIdentifier?: boolean;
}

/** Names a value in a statement. */
export type NamedParameter = (value: unknown) => string;

interface ChangeColumn {
  /** Of PostgreSQL: `int`. */
  type: string;
  /** An array of it, as the driver takes it. */
  values: unknown;
}

/** Where a change stands whose data the database could not make. */
export interface UnfilledChange {
  batchId: string;
  organizationId: string;
  number: number;
}

/**
 * Appends changes to the feed, to be committed with the records. To be called after the records were
 * written, never before: the batch's number is drawn here, and it is in the order of commit of a record only
 * because whoever draws it has locked the record. One statement, whatever the number of changes.
 */
export async function appendChanges(tx: Transaction, changes: readonly Change[], now: Date): Promise<void> {
  const { bytes, starts, lengths } = packTexts(changes.map(({ data }) => JSON.stringify(data)));
  await appendRecords(tx, changes, now, {
    columns: {
      start: { type: 'int', values: intArray(starts) },
      length: { type: 'int', values: intArray(lengths) },
    },
    data: (parameter) =>
      `convert_from(substring(${parameter(bytes)}::bytea from change.start for change.length), 'UTF8')`,
  });
}

/**
 * As {@link appendChanges}, with data that the database makes of its records: they need not be read for it.
 * @returns those whose data it could not make; {@link fillIn} has to give it before the transaction ends
 */
export async function appendRecords(
  tx: Transaction,
  changes: readonly ChangeOfRecord[],
  now: Date,
  { columns: given, table, data, names = [], peopleByIdentifier = false }: DataStatement,
): Promise<UnfilledChange[]> {
  if (changes.length === 0) return [];
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const at = `${parameter(now)}::timestamptz`;
  const dataOf = { type: 'int', values: intArray(sharedNumbers(changes, names)) };
  const columns = { ...columnsOf(changes), data_of: dataOf, ...given };
  // Within a select, so that a plan does not depend on how many there are: a plan for few would be made anew each time.
  const arrays = Object.entries(columns).map(
    ([name, { type, values: all }]) => `unnest((select ${parameter(all)}::${type}[])) as ${name}`,
  );
  const text = `with batch as (
      insert into feed_waiting (key, organization_id, changes, at)
      select key, organization_id, changes, ${at} from ${batchesOf(changes, parameter)}
      returning id, organization_id
    ), ${table ? `${table.name} as materialized (${table.query(parameter)}), ` : ''}appended as (
      insert into feed_stored_change (batch_id, number, type, subject, business_key, delivery_id, data_of, data,
        people_by_identifier)
      select (select id from batch where batch.organization_id = change.organization_id), change.number, change.type,
        change.subject_kind || '/' || change.record_id, change.business_key, change.delivery_id, change.data_of,
        case when change.data_of is null then coalesce(${data(parameter)}, 'null')::json end,
        ${peopleByIdentifier ? 'true' : 'null'}
      from (select ${arrays.join(', ')}, ${at} as at) change
      returning batch_id, number, data::text = 'null' as unfilled
    )
    select a.batch_id::text as "batchId", b.organization_id::text as "organizationId", a.number
    from appended a join batch b on b.id = a.batch_id
    where a.unfilled`;
  return queryInTransaction<UnfilledChange>(tx, text, values);
}

/** Gives changes the data that {@link appendRecords} could not make. @param filled each with JSON data, people as there */
export async function fillIn(
  tx: Transaction,
  filled: readonly (UnfilledChange & { data: object })[],
): Promise<void> {
  await queryInTransaction(
    tx,
    `update feed_stored_change c set data = f.data::json
    from unnest($1::bigint[], $2::int[], $3::text[]) as f(batch_id, number, data)
    where c.batch_id = f.batch_id and c.number = f.number`,
    [
      bigintArray(filled.map(({ batchId }) => BigInt(batchId))),
      intArray(filled.map(({ number }) => number)),
      filled.map(({ data }) => JSON.stringify(data)),
    ],
  );
}

function batchesOf(changes: readonly ChangeOfRecord[], parameter: NamedParameter): string {
  const batches = [...grouped(changes, ({ organizationId }) => organizationId)];
  return `unnest(${parameter(batches.map(newId))}::uuid[],
    ${parameter(batches.map(([organizationId]) => organizationId))}::uuid[],
    ${parameter(batches.map(([, own]) => own.length))}::int[]) as b(key, organization_id, changes)`;
}

/** What every change has, by its column. */
function columnsOf(changes: readonly ChangeOfRecord[]): Record<string, ChangeColumn> {
  return {
    organization_id: { type: 'uuid', values: uuidArray(changes.map((change) => change.organizationId)) },
    number: { type: 'int', values: intArray(numbersOf(changes)) },
    type: { type: 'text', values: textArray(changes.map(({ type }) => type)) },
    record_id: { type: 'uuid', values: uuidArray(changes.map(({ recordId }) => recordId)) },
    subject_kind: { type: 'text', values: textArray(changes.map(({ type }) => CHANGE_TYPES[type].subject)) },
    business_key: { type: 'text', values: textArray(changes.map(({ businessKey }) => businessKey)) },
    delivery_id: { type: 'uuid', values: uuidArray(changes.map(({ deliveryId }) => deliveryId)) },
  };
}

/** From 1, those of each organization by themselves. */
export function numbersOf(changes: readonly ChangeOfRecord[]): number[] {
  const last = new Map<string, number>();
  return changes.map(({ organizationId }) => {
    const number = (last.get(organizationId) ?? 0) + 1;
    last.set(organizationId, number);
    return number;
  });
}

/** For each change the number of one before it that has its data; null: it has its own. */
function sharedNumbers(
  changes: readonly ChangeOfRecord[],
  names: readonly (string | undefined)[],
): (number | null)[] {
  const first = new Map<string, number>();
  const numbers = numbersOf(changes);
  return changes.map(({ organizationId }, index) => {
    const [name, number = 0] = [names[index], numbers[index]];
    if (name === undefined) return null;
    const shared = `${organizationId} ${name}`;
    const found = first.get(shared);
    if (found === undefined) first.set(shared, number);
    return found ?? null;
  });
}
