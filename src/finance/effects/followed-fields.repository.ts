import { createHash } from 'node:crypto';
import { rowsOf } from '../../database/rows-of';
import type { Transaction } from '../../database/transaction';
import { queryInTransaction } from '../../database/transaction-statements';
import { isObject } from '../../kernel/json-object';

/** What an event says of a field of a record that follows events. */
export interface SaidField {
  organizationId: string;
  /** UUID */
  recordId: string;
  field: string;
  /** When it was so. */
  asOf: Date;
  /** As JSON data. */
  value: unknown;
}

/** What was said of a field last. */
export interface KnownField {
  field: string;
  asOf: Date;
  /** See {@link digestOf}. */
  digest: string;
  runId: string | null;
  differs: boolean;
}

/** One text for one field of one record. */
export function fieldKey({ recordId, field }: Pick<SaidField, 'recordId' | 'field'>): string {
  return `${recordId}/${field}`;
}

/**
 * Tells values apart without keeping them, hexadecimal. It covers the organization, so that values of two organizations
 * cannot be matched.
 */
export function digestOf({ organizationId, value }: Pick<SaidField, 'organizationId' | 'value'>): string {
  return createHash('sha256')
    .update(`${organizationId}/${JSON.stringify(inOrder(value))}`)
    .digest('hex');
}

/** The same for equal values: the database does not keep the order of members. */
function inOrder(value: unknown): unknown {
  return isObject(value) ? Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)) : value;
}

/** Whether something said counts more: it is newer, or the greater of two values of one instant. */
export function isNewer(
  said: Pick<KnownField, 'asOf' | 'digest'>,
  known: Pick<KnownField, 'asOf' | 'digest'>,
): boolean {
  const later = said.asOf.getTime() - known.asOf.getTime();
  return later > 0 || (later === 0 && said.digest > known.digest);
}

/** What {@link noteNewest} sends of each field. */
const NOTED = rowsOf('organization_id uuid, record_id uuid, field text, as_of timestamptz, digest text');

/**
 * Notes what is newer than what was said before, of records that the caller has locked. Whatever the order in which
 * events come, the newest is noted in the end. One statement.
 * @returns what was noted, by {@link fieldKey}; of several that say something of one field, the newest at most
 */
export async function noteNewest(
  tx: Transaction,
  all: readonly SaidField[],
): Promise<Map<string, SaidField>> {
  const newest = new Map<string, SaidField & { digest: string }>();
  for (const one of all) {
    const said = { ...one, digest: digestOf(one) };
    const other = newest.get(fieldKey(one));
    if (!other || isNewer(said, other)) newest.set(fieldKey(one), said);
  }
  if (newest.size === 0) return new Map();
  const rows = [...newest.values()].sort((left, right) => (fieldKey(left) < fieldKey(right) ? -1 : 1));
  const noted = await queryInTransaction<{ recordId: string; field: string }>(
    tx,
    `insert into followed_field as f (organization_id, record_id, field, as_of, digest)
    select organization_id, record_id, field, as_of, decode(digest, 'hex')
    from ${NOTED} r
    on conflict (organization_id, record_id, field) do update
      set as_of = excluded.as_of, digest = excluded.digest, run_id = null, differs = false
      where (excluded.as_of, excluded.digest) > (f.as_of, f.digest)
    returning f.record_id::text as "recordId", f.field`,
    [
      rows.map(({ organizationId }) => organizationId),
      rows.map(({ recordId }) => recordId),
      rows.map(({ field }) => field),
      rows.map(({ asOf }) => asOf.toISOString()),
      rows.map(({ digest }) => digest),
    ],
  );
  return new Map(
    noted.flatMap((row) => {
      const said = newest.get(fieldKey(row));
      return said ? [[fieldKey(row), said] as const] : [];
    }),
  );
}

/** What was said last of a record's fields, which nobody else notes anything of until the transaction ends. */
export async function lockKnownFields(
  tx: Transaction,
  organizationId: string,
  recordId: string,
): Promise<Map<string, KnownField>> {
  const name = `followed/${organizationId}/${recordId}`;
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
  const rows = await tx.$queryRaw<KnownField[]>`
    select field, as_of as "asOf", encode(digest, 'hex') as digest, run_id::text as "runId", differs
    from followed_field where organization_id = ${organizationId}::uuid and record_id = ${recordId}::uuid`;
  return new Map(rows.map((row) => [row.field, row]));
}

/** Writes what was said of a field; whoever calls it has locked the record's fields. */
export async function noteField(
  tx: Transaction,
  { organizationId, recordId }: Pick<SaidField, 'organizationId' | 'recordId'>,
  { field, asOf, digest, runId, differs }: KnownField,
): Promise<void> {
  const said = { asOf, digest: Buffer.from(digest, 'hex'), runId, differs };
  await tx.followedField.upsert({
    where: { organizationId_recordId_field: { organizationId, recordId, field } },
    create: { organizationId, recordId, field, ...said },
    update: said,
  });
}
