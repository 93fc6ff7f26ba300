import type { PlannedEffect } from '../../finance/api/effects/effect';
import type { RecordedEffect } from '../../finance/api/effects/effect-records.port';
import { isPostedOtherwise } from './deferral';
import type { StoredDeferral } from './deferred-effects.repository';

const WHOLE = 'receipt/p';

function part(number: number, amount: string, unless: string | undefined = WHOLE): PlannedEffect {
  const key = `receipt/p/settlement/${number}`;
  const input = { schedules: [], value: amount, date: '2026-03-01', account: 'main', identifier: key };
  return { key, operation: 'receipt.allocate', amount, input: { ...input, ...(unless && { unless }) } };
}

const recorded = (state: RecordedEffect['state'], amountMinor: bigint) => ({ state, amountMinor });
const stored = (state: StoredDeferral['state'], effect: PlannedEffect) => ({ state, effect });
const THREE = [1, 2, 3].map((number) => part(number, '100.00'));

describe('the parts of a plan', () => {
  const third = part(3, '100.00');

  function leftOut(
    records: Record<number, ReturnType<typeof recorded>>,
    deferred: Record<number, ReturnType<typeof stored>> = {},
    step: readonly PlannedEffect[] = THREE,
  ): number[] {
    const byKey = <T>(found: Record<number, T>) =>
      new Map(Object.entries(found).map(([number, one]) => [part(Number(number), '1.00').key, one]));
    const known = { records: byKey(records), deferred: byKey(deferred), currency: 'BRL' };
    const numbers = step.map((effect, index) => (isPostedOtherwise(effect, step, known) ? index + 1 : 0));
    return numbers.filter((number) => number > 0);
  }

  it('are all left out where fewer of them come to as much', () => {
    expect(leftOut({ 1: recorded('applied', 30_000n) })).toEqual([1, 2, 3]);
    expect(leftOut({}, { 1: stored('waiting', part(1, '300.00')) })).toEqual([1, 2, 3]);
    const half = part(1, '150.00');
    expect(leftOut({ 1: recorded('applied', 15_000n) }, { 2: stored('waiting', half) })).toEqual([1, 2, 3]);
  });

  it('are compared where they stand, and the others left out, where those come to more', () => {
    expect(leftOut({ 1: recorded('applied', 40_000n) })).toEqual([2, 3]);
  });

  it('are made where those that stand come to less, or were refused or given up', () => {
    expect(leftOut({ 2: recorded('applied', 10_000n) })).toEqual([]);
    expect(leftOut({ 1: recorded('refused', 30_000n) })).toEqual([]);
    expect(leftOut({ 1: recorded('abandoned', 30_000n) })).toEqual([]);
    expect(leftOut({}, { 1: stored('cancelled', part(1, '300.00')) })).toEqual([]);
    expect(leftOut({})).toEqual([]);
  });

  it('are counted once where the acquirer paid one before its day', () => {
    const early = { 1: recorded('applied', 10_000n) };
    expect(leftOut(early, { 1: stored('waiting', part(1, '300.00')) })).toEqual([]);
  });

  it('are compared where all of them stand', () => {
    const all = { 1: recorded('applied', 10_000n), 2: recorded('applied', 10_000n) };
    expect(leftOut(all, { 3: stored('waiting', third) })).toEqual([]);
  });

  it('are made, whatever else stands, where their rule does not say that they may be posted otherwise', () => {
    const step = [part(1, '100.00', ''), part(2, '100.00', '')];
    expect(leftOut({ 2: recorded('applied', 20_000n) }, {}, step)).toEqual([]);
  });
});
