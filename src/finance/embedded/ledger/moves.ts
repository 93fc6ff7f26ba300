import type { NewEntry, Side } from './entry';

/** An amount in minor units that is added to what an identifier stands for. */
export type Move = readonly [id: string, minor: bigint];

/** What an entry adds to what is open of schedules. */
export function movesOf({ debit, credit, amountMinor }: NewEntry): Move[] {
  const moves: Move[] = [];
  addMove(moves, debit, amountMinor);
  addMove(moves, credit, -amountMinor);
  return moves;
}

/** A receivable grows by its debits, a payable by its credits. @param debited what the side is debited with */
function addMove(moves: Move[], { book, id }: Side, debited: bigint): void {
  if (book === 'receivable') moves.push([id, debited]);
  else if (book === 'payable') moves.push([id, -debited]);
}

/** What an entry adds to the balances of accounts. */
export function deltasOf({ debit, credit, amountMinor }: NewEntry): Move[] {
  const moves: Move[] = [];
  if (debit.book === 'account') moves.push([debit.id, amountMinor]);
  if (credit.book === 'account') moves.push([credit.id, -amountMinor]);
  return moves;
}

/** What is added to each identifier in all. */
export function sums(moves: readonly Move[]): Map<string, bigint> {
  const result = new Map<string, bigint>();
  for (const [id, minor] of moves) result.set(id, (result.get(id) ?? 0n) + minor);
  return result;
}
