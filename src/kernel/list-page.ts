/** A page of a list: newest first. */
export interface ListPage {
  /** At most this many. */
  limit: number;
  /** Identifier of the last item of the page before. */
  after?: string;
}
