import type { FilterSpec } from '../filter-query';

/** One of the four kinds of simple records: a code that is taken once, some text, nothing that moves money. */
export interface RecordKind {
  /** In the audit log: `cost-center.create`. */
  name: string;
  /** In sentences: `cost center`. */
  title: string;
  model: 'bank' | 'categoryGroup' | 'category' | 'costCenter';
  table: 'bank' | 'category_group' | 'category' | 'cost_center';
  /** Whatever is stored beside identifier, organization and deletion. */
  fields: readonly string[];
  /** The one among them that is taken once in an organization, by deleted records too. */
  code: string;
  filters: FilterSpec;
}

/** Text fields of a record; null where there is nothing. */
export type RecordFields = Record<string, string | null>;

/** A record as operators see it. */
export interface MasterRecord extends RecordState {
  /** UUID, ordered by time. */
  id: string;
}

/** The fields, and whether it is deleted. */
export type RecordState = Record<string, string | boolean | null> & { deleted: boolean };

/** Whether deleted records are listed too. */
const DELETED = { deleted: 'flag' } as const;

export const BANK: RecordKind = {
  name: 'bank',
  title: 'bank',
  model: 'bank',
  table: 'bank',
  fields: ['code', 'name', 'color'],
  code: 'code',
  filters: { code: 'text', name: 'text', ...DELETED },
};

export const CATEGORY_GROUP: RecordKind = {
  name: 'category-group',
  title: 'category group',
  model: 'categoryGroup',
  table: 'category_group',
  fields: ['referenceCode', 'name'],
  code: 'referenceCode',
  filters: { referenceCode: 'text', name: 'text', ...DELETED },
};

export const CATEGORY: RecordKind = {
  name: 'category',
  title: 'category',
  model: 'category',
  table: 'category',
  fields: ['referenceCode', 'name', 'type', 'groupId'],
  code: 'referenceCode',
  filters: { referenceCode: 'text', name: 'text', type: ['in', 'out'], groupId: 'uuid', ...DELETED },
};

export const COST_CENTER: RecordKind = {
  name: 'cost-center',
  title: 'cost center',
  model: 'costCenter',
  table: 'cost_center',
  fields: ['externalCode', 'description'],
  code: 'externalCode',
  filters: { externalCode: 'text', description: 'text', ...DELETED },
};
