/**
 * The name of a row that `ponte move-to` adds to the migrations of both databases, so that no service starts on either while
 * the move is not complete, nor on the one that was left. Versions of Ponte that know nothing of it refuse as well: it is a
 * migration that they do not know. `checksum` has the move's identifier, `logs` what the database is in it.
 */
export const MOVE_MARKER = 'ponte_move_to';

/** What a database is in a move: it gets the rows, or gives them, or has given all of them. */
export type MovePart = 'target' | 'source' | 'moved';

/** Why no service starts. */
export const MOVE_REFUSALS: Readonly<Record<MovePart, string>> & Readonly<Record<string, string>> = {
  target:
    'the database is being filled by `ponte move-to` and is not complete: run the command again until it says that the move is complete',
  source:
    'the database in DATA_DIR is being moved to PostgreSQL: run `ponte move-to` again, or give the move up with `ponte move-to --give-up`',
  moved:
    'the database in DATA_DIR was moved to PostgreSQL: set DATABASE_URL to that; to go back to what DATA_DIR had, run `ponte move-to --give-up`',
};
