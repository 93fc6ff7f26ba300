/** How values of answers are documented: the counterparts of the readers in `fields.ts`. */
export const UUID = { type: String, format: 'uuid' } as const;
export const DATE_TIME = { type: String, format: 'date-time' } as const;
export const DOUBLE = { type: Number, format: 'double' } as const;
export const INT32 = { type: Number, format: 'int32' } as const;
