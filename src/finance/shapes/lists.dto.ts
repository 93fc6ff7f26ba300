/** Which part of a list is asked for. */
export interface ListRequest {
  /** Records at most, 0 to 500. */
  readonly top: number;
  /** Records to pass over first. */
  readonly skip: number;
}

/** A part of a list, in the list's stable order. */
export interface ListPart<T> {
  items: T[];
  /** How many records match, before paging. */
  count: number;
}
