import fc from 'fast-check';
import { CalendarDate } from '../../kernel/calendar-date';
import { allocate } from './allocation';

const dueDate = CalendarDate.parse('2026-04-10');
const schedulesOf = (open: readonly bigint[]) =>
  open.map((openMinor, index) => ({ id: String(index), openMinor, dueDate }));

describe('spreading a payment', () => {
  it('gives nothing to a schedule on which more was received than was open, and no more to the others', () => {
    const schedules = schedulesOf([-10n, 100n]);
    expect(allocate(50n, schedules)).toEqual([{ schedule: schedules[1], minor: 50n }]);
  });

  it('never comes to more than was paid, nor on a schedule to more than is open', () => {
    const amounts = fc.bigInt({ min: -1_000n, max: 1_000n });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 3_000n }), fc.array(amounts, { maxLength: 12 }), (paid, open) => {
        const shares = allocate(paid, schedulesOf(open));
        const sum = shares.reduce((total, { minor }) => total + minor, 0n);
        const most = open.reduce((total, value) => total + (value > 0n ? value : 0n), 0n);
        expect(sum).toBe(paid < most ? paid : most);
        for (const { schedule, minor } of shares) {
          expect(minor > 0n && minor <= schedule.openMinor).toBe(true);
        }
      }),
    );
  });
});
