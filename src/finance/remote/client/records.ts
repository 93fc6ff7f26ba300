import { kindOf, nestedOf } from '../../../http/field';
import { fieldsOf } from '../../../http/read-dto';
import type { XmlElement } from '../../../http/xml/parse-xml';
import type { LosslessJson } from '../../../kernel/lossless-json';
import { AccountBalanceView, AccountListingView } from '../../api/shapes/accounts.dto';
import { CategoryView } from '../../api/shapes/categories.dto';
import { CostCenterView } from '../../api/shapes/cost-centers.dto';
import { CustomerView } from '../../api/shapes/customers.dto';
import { OrganizationView } from '../../api/shapes/organizations.dto';
import { MovementView, ScheduleEntryView, ScheduleFullView } from '../../api/shapes/schedules.dto';
import { SupplierView } from '../../api/shapes/suppliers.dto';
import { isObject, type JsonObject } from '../../../kernel/json-object';
import { exactNumber, plainOf } from './reply-content';

/** A class that says what the fields of a record are. */
export type RecordShape = new () => object;

/** The shapes of the records that the operations table names. */
const RECORD_SHAPES: Readonly<Record<string, RecordShape>> = {
  ScheduleFullView,
  ScheduleEntry: ScheduleEntryView,
  CostCenter: CostCenterView,
  AccountBalance: AccountBalanceView,
  AccountListing: AccountListingView,
  Category: CategoryView,
  Supplier: SupplierView,
  Customer: CustomerView,
  Organization: OrganizationView,
  Movement: MovementView,
};

/** @throws Error when the operations table names a record that has no shape */
export function recordShape(name: string): RecordShape {
  const shape = RECORD_SHAPES[name];
  if (!shape) throw new Error(`there is no shape of ${name}`);
  return shape;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

type FieldKind = 'text' | 'number' | 'flag' | RecordShape | undefined;

/** A record of a reply in JSON as ordinary data, its documented fields as what they are documented to be. */
export function recordOfJson(shape: RecordShape | undefined, json: JsonObject): object {
  const entries = Object.entries(json).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, fieldOfJson(kindOfField(shape, name), value)]),
  );
}

function fieldOfJson(kind: FieldKind, json: LosslessJson): unknown {
  if (typeof json === 'string') return leaf(kind, json);
  return isObject(json) ? recordOfJson(typeof kind === 'function' ? kind : undefined, json) : plainOf(json);
}

/**
 * A record of a reply in XML as ordinary data. What its text means follows from the documented field; a field
 * that is not documented stays text.
 */
export function recordOfXml(shape: RecordShape | undefined, element: XmlElement): object {
  const entries = element.children
    .filter(({ name }) => name !== '__proto__')
    .map((child) => [child.name, fieldOfXml(kindOfField(shape, child.name), child)]);
  return Object.fromEntries(entries) as object;
}

function fieldOfXml(kind: FieldKind, element: XmlElement): unknown {
  if (element.nil) return null;
  if (typeof kind === 'function') return recordOfXml(kind, element);
  if (element.children.length === 0) return leaf(kind, element.text);
  const lists = element.children.every(({ name }) => LIST_MEMBERS.has(name));
  return lists
    ? element.children.map((child) => fieldOfXml(undefined, child))
    : recordOfXml(undefined, element);
}

/** What members of lists are called: Ponte's own word, and that of problem documents. */
const LIST_MEMBERS: ReadonlySet<string> = new Set(['item', 'i']);

/** Numbers and flags that came as text; anything else stays the text it is. */
function leaf(kind: FieldKind, text: string): unknown {
  const bare = text.trim();
  if (kind === 'number') return NUMBER.test(bare) ? exactNumber(bare) : text;
  if (kind === 'flag') return FLAGS.get(bare.toLowerCase()) ?? text;
  return text;
}

/** What a field is by its class: by what reads it where it is read, else by its TypeScript type. */
function kindOfField(shape: RecordShape | undefined, name: string): FieldKind {
  if (!shape) return undefined;
  const prototype = shape.prototype as object;
  const nested = nestedOf(prototype, name);
  if (nested) return nested.type();
  if (fieldsOf(shape).has(name)) return readKind(prototype, name);
  const type: unknown = Reflect.getMetadata('design:type', prototype, name);
  if (type === Number) return 'number';
  if (type === Boolean) return 'flag';
  if (type === String || type === Object || typeof type !== 'function') return 'text';
  return type as RecordShape;
}

function readKind(prototype: object, name: string): FieldKind {
  const kind = kindOf(prototype, name);
  return kind === 'texts' ? undefined : kind;
}
