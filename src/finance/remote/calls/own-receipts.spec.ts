import { digestOfReceipts, openNow, type OwnReceipt } from './own-receipts';

const SETTLE_MS = 30_000;
const READ_AT = new Date('2026-03-10T15:00:00Z');

/** A receipt of 25.00 that was over so many milliseconds before the listing was read. */
function receipt(endedBeforeMs: number, other: Partial<OwnReceipt> = {}): OwnReceipt {
  const endedAt = new Date(READ_AT.getTime() - endedBeforeMs);
  return {
    id: 'a',
    attempts: 1,
    minor: 25_00n,
    state: 'applied',
    leftToPerson: false,
    sentAt: endedAt,
    endedAt,
    nextAt: null,
    openMinorBefore: 100_00n,
    ...other,
  };
}

const openOf = (listedMinor: bigint, ...receipts: OwnReceipt[]) =>
  openNow(listedMinor, READ_AT, SETTLE_MS, receipts);

describe('what is open on a schedule', () => {
  it('is what is listed, where nothing was applied lately', () => {
    expect(openOf(75_00n)).toMatchObject({ openMinor: 75_00n });
    expect(openOf(75_00n, receipt(SETTLE_MS))).toMatchObject({ openMinor: 75_00n });
  });

  it('counts what was applied lately, listed or not', () => {
    expect(openOf(100_00n, receipt(1_000))).toMatchObject({ openMinor: 75_00n });
    expect(openOf(75_00n, receipt(1_000))).toMatchObject({ openMinor: 75_00n });
  });

  it('cannot be told while a receipt is under way', () => {
    const nextAt = new Date(READ_AT.getTime() + 500);
    expect(openOf(100_00n, receipt(1_000, { state: 'unknown', nextAt }))).toMatchObject({ until: nextAt });
  });

  it('cannot be told just after a receipt that a person has to decide about, and can be once it would be listed', () => {
    const parked = { state: 'unknown', leftToPerson: true } as const;
    const settled = new Date(READ_AT.getTime() - 1_000 + SETTLE_MS);
    expect(openOf(100_00n, receipt(1_000, parked))).toMatchObject({ until: settled });
    expect(openOf(75_00n, receipt(1_000, parked), receipt(2_000))).toMatchObject({ until: settled });
    expect(openOf(75_00n, receipt(SETTLE_MS, parked))).toMatchObject({ openMinor: 75_00n });
  });
});

describe('the digest of receipts', () => {
  it('is another one for other receipts as many, and after another attempt', () => {
    const before = digestOfReceipts([receipt(0), receipt(0, { id: 'b' })]);
    expect(digestOfReceipts([receipt(0, { id: 'b' }), receipt(0)])).toBe(before);
    expect(digestOfReceipts([receipt(0), receipt(0, { id: 'c' })])).not.toBe(before);
    expect(digestOfReceipts([receipt(0), receipt(0, { id: 'b', attempts: 2 })])).not.toBe(before);
  });
});
