/** The type of a property of a list. Money is decimal in a filter; a date is a calendar date, an instant a point in time. */
export type FieldType = 'guid' | 'text' | 'number' | 'integer' | 'money' | 'date' | 'instant' | 'boolean';

/** One property that a list can be filtered and ordered by. */
export interface ListField {
  readonly type: FieldType;
  /** Whether a record may be without it. */
  readonly nullable: boolean;
}

/** Properties by their path as it is written, such as `stakeholder/name`. */
export type ListFields = Readonly<Record<string, ListField>>;
