/** Which part of a list is asked for. */
export interface ListRequest {
  /** Records at most, 0 to 500. */
  top: number;
  /** Records to leave out first. */
  skip: number;
}

/** A part of a list, in the list's stable order. */
export interface ListPart<T> {
  items: T[];
  /** How many records match, before paging. */
  count: number;
}
