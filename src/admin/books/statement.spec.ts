import fc from 'fast-check';
import type { Settlement } from '../../finance/api/ports/book-details.port';
import { CalendarDate } from '../../kernel/calendar-date';
import { maskedDocument, maskedEmail } from './readings';
import { type BookedReceivable, statementOf } from './statement';

const TODAY = CalendarDate.of(2026, 3, 10);
const day = fc.integer({ min: 0, max: 60 }).map((days) => CalendarDate.of(2026, 2, 8).addDays(days));
const minor = fc.bigInt({ min: 1n, max: 10_000n });

/** What a service lists of receivables: receipts may be missing, or newer than what it says is open. */
const listed = fc
  .array(
    fc.record({ date: day, dueDate: day, minor, openMinor: minor, receipts: fc.array(fc.tuple(day, minor)) }),
  )
  .map((sales) => {
    const receivables = sales.map(({ date, dueDate, minor: value, openMinor }, index): BookedReceivable => ({
      ...{ id: `schedule-${index}`, date, dueDate, description: '', reference: null },
      ...{ minor: value, openMinor },
    }));
    const settlements = sales.flatMap(({ receipts }, index) =>
      receipts.map(([on, value], number): Settlement => ({
        ...{ id: `receipt-${index}-${number}`, schedule: `schedule-${index}`, kind: 'receipt', date: on },
        ...{ minor: value, description: '', reference: null, identifier: null },
      })),
    );
    return { receivables, settlements };
  });

describe('a statement', () => {
  it('ends at what is open, and its sums add up, whatever the finance service leaves out', () => {
    fc.assert(
      fc.property(listed, ({ receivables, settlements }) => {
        const { lines, totals } = statementOf(receivables, settlements, TODAY);
        expect(lines.at(-1)?.openMinor ?? 0n).toBe(totals.open);
        expect(totals.booked - totals.received - totals.discounts).toBe(totals.open);
        expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
        expect(lines.filter(({ type }) => type === 'receipt')).toHaveLength(settlements.length);
        for (const { date, type } of lines) expect(date === null).toBe(type === 'difference');
        const firsts = new Map(lines.toReversed().map((line) => [line.schedule, line.type]));
        for (const type of firsts.values()) expect(type).toBe('receivable');
        const days = lines.flatMap(({ date }) => date?.toString() ?? []);
        expect(days).toEqual([...days].sort());
      }),
    );
  });

  it('counts as overdue what was due before today', () => {
    const due = (dueDate: CalendarDate, index: number): BookedReceivable => ({
      ...{ id: String(index), date: TODAY, dueDate, description: '', reference: null },
      ...{ minor: 300n, openMinor: 100n },
    });
    const dates = [TODAY.addDays(-1), TODAY, TODAY.addDays(1)];
    expect(statementOf(dates.map(due), [], TODAY).totals).toEqual({
      ...{ booked: 900n, received: 0n, discounts: 600n, open: 300n, overdue: 100n },
    });
  });
});

describe('what is shown of persons', () => {
  it.each([
    ['52998224725', '***4725'],
    ['12.ABC.345/01DE-35', '***DE35'],
    ['1234', '***'],
    ['', null],
    [undefined, null],
  ])('of the document %s: %s', (document, shown) => {
    expect(maskedDocument(document)).toBe(shown);
  });

  it.each([
    ['lia@example.com', 'l***@example.com'],
    ['l@example.com', '***@example.com'],
    ['nobody', '***'],
    ['', null],
    [undefined, null],
  ])('of the address %s: %s', (email, shown) => {
    expect(maskedEmail(email)).toBe(shown);
  });
});
