import { Prisma } from '../../../database/client/client';
import { intArray, textArray } from '../../../database/binary-array';
import { plainArray } from '../../../database/plain-array';
import type { DataStatement, NamedParameter } from '../../../feed/changes/changes.repository';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { midnightOffsets } from '../../../kernel/time-zone';
import { jsonText } from '../lists/json.sql';
import { listOf, RECORD_KINDS, type RecordKind } from './changed-records.repository';
import { withoutPeople } from './people-by-identifier';

/** A record that is to be shown by the database itself. */
export interface ShownRecord {
  organization: Organization;
  /** UUID */
  id: string;
  kind: RecordKind;
  /** What is said beside the record: none of its own properties. */
  besides?: object;
}

/** Days of these years around the current one have midnights that the database is told of. */
const YEARS_BEFORE = 1;
const YEARS_AFTER = 3;

/**
 * SQL for the record of a change, by its kind: a query of its own for each, so that each record is looked up by its
 * identifier, whatever PostgreSQL knows of the tables.
 */
const TEXTS = Object.fromEntries(
  RECORD_KINDS.map((kind) => {
    const { columns, from, identifier } = listOf(kind, Prisma.raw('change.at'));
    const json = jsonText(withoutPeople(kind, columns), { unit: 'change.unit', offsetOf });
    const query = Prisma.sql`select ${Prisma.raw(json)} from ${from} where ${identifier} = change.record_id`;
    if (query.values.length > 0) throw new Error('a list that is announced has something of a request');
    return [kind, `(${query.sql})`];
  }),
) as Readonly<Record<RecordKind, string>>;

/**
 * How the database makes the data of changes: as `ListReading.itemOf` shows their records, with what they say besides. Of
 * people it has the identifiers alone; readers of the feed are shown who that is when they read it. Null for a
 * record that is not there, and for a day whose midnight the database is not told of.
 */
export function dataOfRecords(records: readonly ShownRecord[], now: Date): DataStatement {
  const zones = [...new Set(records.map(({ organization }) => organization.timeZone))];
  const kinds = RECORD_KINDS.filter((kind) => records.some((record) => record.kind === kind));
  const places = kinds.map((kind) => `when '${kind}' then ${TEXTS[kind]}`);
  const item = `case change.kind ${places.join(' ')} end`;
  const anyBesides = records.some(({ besides }) => hasAny(besides));
  return {
    columns: {
      kind: { type: 'text', values: textArray(records.map(({ kind }) => kind)) },
      unit: { type: 'numeric', values: plainArray(records.map(({ organization }) => unitOf(organization))) },
      zone: {
        type: 'int',
        values: intArray(records.map(({ organization }) => zones.indexOf(organization.timeZone))),
      },
      ...(anyBesides && { besides: { type: 'text', values: records.map(besidesOf) } }),
    },
    peopleByIdentifier: true,
    names: records.map(({ kind, id, besides }) => (hasAny(besides) ? undefined : `${kind}/${id}`)),
    table: { name: 'midnight', query: (parameter) => midnights(zones, now, parameter) },
    data: () =>
      anyBesides
        ? `(select case when change.besides is null then r.item else left(r.item, -1) || change.besides end
          from (select ${item} as item offset 0) r)`
        : item,
  };
}

/** The offset of the midnight of a day in the zone of a change. @param day SQL for a `date` */
function offsetOf(day: string): string {
  return `(select m.shift from midnight m where m.zone = change.zone and ${day} between m.since and m.until)`;
}

/** Offsets as Ponte's own clocks have them: those of the database may be of another edition. */
function midnights(zones: readonly string[], now: Date, parameter: NamedParameter): string {
  const year = now.getUTCFullYear();
  const spans = zones.flatMap((timeZone, zone) =>
    midnightOffsets(timeZone, year - YEARS_BEFORE, year + YEARS_AFTER).map((span) => ({ ...span, zone })),
  );
  return `select * from unnest(${parameter(plainArray(spans.map(({ zone }) => zone)))}::int[],
    ${parameter(plainArray(spans.map(({ first }) => first)))}::date[],
    ${parameter(plainArray(spans.map(({ last }) => last)))}::date[],
    ${parameter(spans.map(({ offset }) => offset))}::text[]) as m(zone, since, until, shift)`;
}

/** A minor unit of its currency, in whole ones: `0.01` */
function unitOf({ currency }: Organization): string {
  const exponent = Money.exponentOf(currency);
  return (10 ** -exponent).toFixed(exponent);
}

/** What follows the record's own properties: `,"balanceBefore":12.5}` */
function besidesOf({ kind, besides }: ShownRecord): string | null {
  if (!hasAny(besides)) return null;
  if (Object.keys(besides).some((name) => hasProperty(kind, name)))
    throw new Error('a change says otherwise what its record says');
  return `,${JSON.stringify(besides).slice(1)}`;
}

function hasProperty(kind: RecordKind, name: string): boolean {
  const { columns } = listOf(kind, Prisma.raw('change.at'));
  return Object.keys(columns).some((path) => path === name || path.startsWith(`${name}/`));
}

function hasAny(besides: object | undefined): besides is object {
  return besides !== undefined && Object.keys(besides).length > 0;
}
