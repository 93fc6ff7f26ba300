import type { NestedField, WireKind } from '../../../http/field';
import { shapeOfField } from '../../../http/read-dto';
import { XML_BOOLEANS, type XmlElement } from '../../../http/xml/parse-xml';
import { objectOfXml, type RecordShape } from '../../../http/xml/xml-json';
import type { LosslessJson } from '../../../kernel/lossless-json';
import { AccountBalanceView, AccountListingView, TransferEntryView } from '../../api/shapes/accounts.dto';
import { CategoryView } from '../../api/shapes/categories.dto';
import { CostCenterView } from '../../api/shapes/cost-centers.dto';
import { CustomerView } from '../../api/shapes/customers.dto';
import { OrganizationListingView } from '../../api/shapes/organizations.dto';
import { MovementView, ScheduleEntryView, ScheduleFullView } from '../../api/shapes/schedules.dto';
import { SupplierView } from '../../api/shapes/suppliers.dto';
import { isObject, type JsonObject } from '../../../kernel/json-object';
import { exactNumber, plainOf } from './reply-content';

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
  OrganizationListing: OrganizationListingView,
  Movement: MovementView,
  TransferEntry: TransferEntryView,
};

/** @throws Error when the operations table names a record that has no shape */
export function recordShape(name: string): RecordShape {
  const shape = RECORD_SHAPES[name];
  if (!shape) throw new Error(`there is no shape of ${name}`);
  return shape;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A record of a reply in JSON as ordinary data, its documented fields as what they are documented to be. Services write
 * null where there is nothing; documented is that a value is left out, and an object is there and empty.
 */
export function recordOfJson(shape: RecordShape | undefined, json: JsonObject): object {
  const entries = Object.entries(json).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const field = shape && shapeOfField(shape, name);
      if (value !== null || field === undefined) return [[name, valueOf(field, value)]];
      return typeof field === 'object' && field.max === undefined ? [[name, {}]] : [];
    }),
  );
}

/** A record of a reply in XML; see {@link recordOfJson}. */
export function recordOfXml(shape: RecordShape | undefined, element: XmlElement): object {
  return recordOfJson(shape, objectOfXml(element, shape, 'reply'));
}

function valueOf(field: NestedField | WireKind | undefined, json: LosslessJson): unknown {
  if (typeof json === 'string') return leaf(field, json);
  return isObject(json)
    ? recordOfJson(typeof field === 'object' ? field.type() : undefined, json)
    : plainOf(json);
}

/** Numbers and flags that came as text; anything else stays the text it is. */
function leaf(field: NestedField | WireKind | undefined, text: string): unknown {
  const bare = text.trim();
  if (field === 'number') return NUMBER.test(bare) ? exactNumber(bare) : text;
  if (field === 'flag') return XML_BOOLEANS.get(bare.toLowerCase()) ?? text;
  return text;
}
