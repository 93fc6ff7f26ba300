/**
 * Which part of a list is asked for. Every list throws Problem `malformed-request` for a filter, an order or a token that
 * it cannot read.
 */
export interface ListRequest {
  /** Records at most, 0 to 500. */
  readonly top: number;
  /** Records to pass over first. */
  readonly skip: number;
  /** A `$filter` as the client wrote it; absent: all records. */
  readonly filter?: string;
  /** An `$orderby` as the client wrote it; absent: the list's own order. */
  readonly orderBy?: string;
  /** Where the page before ended; absent: from the beginning. */
  readonly skipToken?: string;
  /** Not from what was answered a moment ago to somebody else. */
  readonly fresh?: boolean;
  /** Nobody looks at `count`: on Ponte's own books it is 0 then, and what matches is not counted. */
  readonly uncounted?: boolean;
}

/** A part of a list, in the list's stable order. */
export interface ListPart<T> {
  items: T[];
  /** How many records match, before paging; 0 where nobody looks at it. */
  count: number;
  /** The token of the part after this one; absent where none follow. */
  next?: string;
}
