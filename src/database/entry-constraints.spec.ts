import { openTestDatabase } from '../../test/support/database';
import { newId } from '../kernel/identifier';
import type { Book, EntryKind } from './client/client';
import type { Database } from './database';

const ORGANIZATION = newId();
const [DEBIT, CREDIT] = [newId(), newId()];

const BOOKS: Book[] = ['account', 'receivable', 'payable', 'income', 'expense', 'equity'];

/** Debit and credit of every movement there is; all others are refused. */
const FITTING: Record<Exclude<EntryKind, 'reversal'>, string[]> = {
  opening: ['account equity', 'equity account'],
  receivable: ['receivable income'],
  payable: ['expense payable'],
  receipt: ['account receivable', 'account income'],
  payment: ['payable account', 'expense account'],
  transfer: ['account account'],
  discount: ['expense receivable'],
};

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

interface Fields {
  organizationId?: string;
  kind: EntryKind;
  amountMinor?: bigint;
  debitBook?: Book;
  debitId?: string;
  creditBook?: Book;
  creditId?: string;
  reversesId?: string;
}

/** 1.00 received as income, unless said otherwise. @returns its UUID */
async function insert(fields: Fields): Promise<string> {
  const id = newId();
  await database.prisma.entry.create({
    data: {
      id,
      organizationId: ORGANIZATION,
      date: new Date('2026-03-10'),
      amountMinor: 100n,
      debitBook: 'account',
      debitId: DEBIT,
      creditBook: 'income',
      creditId: CREDIT,
      ...fields,
    },
  });
  return id;
}

describe('the books that a movement may join', () => {
  it.each(Object.entries(FITTING) as [EntryKind, string[]][])(
    'of a %s are these alone',
    async (kind, fitting) => {
      const taken: string[] = [];
      for (const debitBook of BOOKS)
        for (const creditBook of BOOKS)
          await insert({ kind, debitBook, creditBook }).then(
            () => taken.push(`${debitBook} ${creditBook}`),
            (error: unknown) => expect(String(error)).toContain('entry_kind_fits_its_books'),
          );
      expect(taken.toSorted()).toEqual(fitting.toSorted());
    },
  );
});

describe('a reversal', () => {
  const mirrored = {
    kind: 'reversal',
    debitBook: 'income',
    debitId: CREDIT,
    creditBook: 'account',
    creditId: DEBIT,
  } as const;

  it('mirrors the entry it takes back, once', async () => {
    const reversesId = await insert({ kind: 'receipt' });
    await insert({ ...mirrored, reversesId });
    await expect(insert({ ...mirrored, reversesId })).rejects.toThrow();
    expect(await database.prisma.entry.count({ where: { reversesId } })).toBe(1);
  });

  it.each([
    ['another amount', { amountMinor: 99n }],
    ['another debit book', { debitBook: 'expense' }],
    ['another debit record', { debitId: newId() }],
    ['another credit book', { creditBook: 'payable' }],
    ['another credit record', { creditId: newId() }],
    [
      'its sides not swapped',
      { debitBook: 'account', debitId: DEBIT, creditBook: 'income', creditId: CREDIT },
    ],
    ['another organization', { organizationId: newId() }],
    ['an entry that is not there', { reversesId: newId() }],
  ] as [string, Partial<Fields>][])('is refused with %s', async (_name, fields) => {
    const reversesId = await insert({ kind: 'receipt' });
    await expect(insert({ ...mirrored, reversesId, ...fields })).rejects.toThrow('must mirror');
    expect(await database.prisma.entry.count({ where: { reversesId } })).toBe(0);
  });

  it('is never taken back itself', async () => {
    const receipt = await insert({ kind: 'receipt' });
    const reversesId = await insert({ ...mirrored, reversesId: receipt });
    await expect(insert({ kind: 'reversal', reversesId })).rejects.toThrow('must mirror');
  });

  it('names the entry it takes back, and nothing else does', async () => {
    await expect(insert(mirrored)).rejects.toThrow();
    const reversesId = await insert({ kind: 'receipt' });
    await expect(insert({ kind: 'receipt', reversesId })).rejects.toThrow();
  });
});
