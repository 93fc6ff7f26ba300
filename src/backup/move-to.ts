import { giveUpMove, moveDatabase, type Moved, type MoveRequest } from '../database/move/move-database';
import { DatabaseStartError } from '../database/start-error';
import { type LedgerVerification, verifyLedger } from '../finance/embedded/ledger/verify';

export interface MovedBooks extends Moved, Omit<LedgerVerification, 'difference'> {}

/**
 * Moves the embedded database of a directory to PostgreSQL and verifies the books there.
 * @throws DatabaseStartError with one line; calling it again goes on
 */
export async function moveTo(request: Omit<MoveRequest, 'verify'>): Promise<MovedBooks> {
  let books: LedgerVerification | undefined;
  const moved = await moveDatabase({
    ...request,
    verify: async (rows) => {
      books = await verifyLedger({ $queryRaw: (text: TemplateStringsArray) => rows(text.join('')) } as never);
      if (books.difference)
        throw new DatabaseStartError(
          `the books are wrong: ${books.difference.what} ${books.difference.id} does not follow from the entries; ` +
            'see what `npm run ledger:verify` says of DATA_DIR after `ponte move-to --give-up`',
        );
    },
  });
  if (!books) throw new Error('the books were not verified');
  const { entries, accounts, schedules } = books;
  return { ...moved, entries, accounts, schedules };
}

/** Lets a service start on the embedded database of a directory again. @returns whether it was moved, or about to be */
export function giveUp(dataDir: string): Promise<boolean> {
  return giveUpMove(dataDir);
}
