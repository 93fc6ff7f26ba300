/**
 * Stands for an output of an earlier step of the same run: `{ "$ref": "customer.id" }`. It is filled in
 * when that step's effect has been applied, because only then the record's identifier is known for sure.
 */
export interface Reference {
  $ref: `${string}.${string}`;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value;
}
