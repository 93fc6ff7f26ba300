/**
 * What can go wrong, in one table. Every error that leaves Ponte over HTTP is one of these, rendered as an
 * RFC 9457 problem document by the filter in `http/`; inside, a refusal is a value or an exception of this
 * class, and never an HTTP exception.
 */
export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request cannot be read' },
  'key-missing': { status: 401, title: 'An API key is needed' },
  'key-invalid': { status: 401, title: 'The API key is not valid' },
  'signature-invalid': { status: 401, title: 'The signature does not match' },
  'organization-mismatch': { status: 403, title: 'The key belongs to another organization' },
  'scope-missing': { status: 403, title: 'The key does not allow this' },
  'cross-site': { status: 403, title: 'The request may come from another site' },
  'not-found': { status: 404, title: 'There is no such record' },
  'no-open-schedule': { status: 404, title: 'No schedule is open' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'not-acceptable': { status: 406, title: 'None of the accepted forms can be served' },
  'body-too-slow': { status: 408, title: 'The body came too slowly' },
  conflict: { status: 409, title: 'The request conflicts with what is there' },
  'idempotency-key-in-use': { status: 409, title: 'A request with this Idempotency-Key is under way' },
  'entry-reconciliated': { status: 409, title: 'The entry is reconciliated and stays' },
  'customer-exists': { status: 409, title: 'A customer with this document exists' },
  'finance-not-connected': { status: 409, title: 'The finance service is not connected' },
  'cursor-unknown': { status: 410, title: 'The cursor fits no change of this feed' },
  'cursor-expired': { status: 410, title: 'Changes that follow the cursor are no longer kept' },
  'body-purged': { status: 410, title: 'The body is no longer kept' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'media-type-unsupported': { status: 415, title: 'The media type of the body is not supported' },
  'validation-failed': { status: 422, title: 'Some fields are not acceptable' },
  'exceeds-open-value': { status: 422, title: 'The value is more than what is open' },
  'instalments-mismatch': { status: 422, title: 'The instalments do not add up to the value' },
  'before-opening-date': { status: 422, title: "The date is before the account's opening balance" },
  'idempotency-key-reused': { status: 422, title: 'The Idempotency-Key belongs to another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'internal-error': { status: 500, title: 'Something broke inside Ponte' },
  'not-implemented': { status: 501, title: 'The finance service does not offer this' },
  'finance-misbehaved': { status: 502, title: 'The finance service gave an answer that cannot be used' },
  saturated: { status: 503, title: 'Ponte is saturated; try again shortly' },
  unavailable: { status: 503, title: 'Ponte cannot reach its database; try again shortly' },
  'finance-unreachable': { status: 503, title: 'The finance service cannot be reached; try again shortly' },
  'source-paused': { status: 503, title: 'The source is paused; try again later' },
  'shutting-down': { status: 503, title: 'Ponte is shutting down; try again shortly' },
  'outcome-unknown': { status: 504, title: 'Whether the request took effect is not known yet' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

interface MemberDescription {
  /** The problem that has it; no other does. */
  readonly of: ProblemCode;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly format?: 'uuid' | 'double' | 'int32';
  readonly says: string;
}

/** What some problem documents have beside the members that all have, as the API's description says. */
export const PROBLEM_MEMBERS = {
  parameter: { of: 'malformed-request', type: 'string', says: 'The list option that cannot be read' },
  position: {
    of: 'malformed-request',
    type: 'integer',
    format: 'int32',
    says: 'Where in the option, in characters from 1',
  },
  nearest: { of: 'malformed-request', type: 'string', says: 'The name that was probably meant' },
  bankId: uuid('conflict', 'The bank that has the code'),
  categoryGroupId: uuid('conflict', 'The category group that has the code'),
  categoryId: uuid('conflict', 'The category that has the code'),
  costCenterId: uuid('conflict', 'The cost center that has the code'),
  supplierId: uuid('conflict', 'The supplier who has the document'),
  deleted: { of: 'conflict', type: 'boolean', says: 'Whether the record that is in the way is deleted' },
  plan: { of: 'conflict', type: 'string', says: 'The plan of a repair as it would be now' },
  customerId: uuid('customer-exists', 'The customer who has the document'),
  openValue: amount('exceeds-open-value', 'What is still open'),
  difference: amount('instalments-mismatch', 'The value less the sum of the instalments'),
  effectId: uuid('outcome-unknown', 'The effect that is being reconciled, by which operators find it'),
} as const satisfies Record<string, MemberDescription>;

export type ProblemMember = keyof typeof PROBLEM_MEMBERS;

function uuid(of: ProblemCode, says: string): MemberDescription {
  return { of, type: 'string', format: 'uuid', says };
}

function amount(of: ProblemCode, says: string): MemberDescription {
  return { of, type: 'number', format: 'double', says };
}

/** One bad field: where (JSON pointer into the body), which rule, and a sentence for a person. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
  /** Of a document that people write, YAML for instance: the place within it, 1-based. */
  line?: number;
  column?: number;
  /** With a line: the sentence, as `message` has it. */
  detail?: string;
}

export interface ProblemExtras {
  errors?: FieldError[];
  /** Seconds after which trying again makes sense: becomes `Retry-After`. */
  retryAfterSeconds?: number;
  members?: Partial<Record<ProblemMember, unknown>>;
}

/** A refusal with a code of the table. `detail` is shown to clients: no secrets, no personal data. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extras: ProblemExtras = {},
  ) {
    super(`${code}: ${detail}`);
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  get title(): string {
    return PROBLEMS[this.code].title;
  }
}

/** A problem with one field of a body: one sentence, for the client's developer and for whoever wrote a rule. */
export function unacceptable(pointer: string, code: string, sentence: string): Problem {
  return new Problem('validation-failed', sentence, { errors: [{ pointer, code, message: sentence }] });
}
