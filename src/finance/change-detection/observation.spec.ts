import { CalendarDate } from '../../kernel/calendar-date';
import { observationOf, UnusableListing, type ListingKind } from './observation';

const ORGANIZATION = {
  id: '01900000-0000-7000-8000-000000000001',
  slug: 'a',
  name: 'A',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
};
const TODAY = CalendarDate.parse('2026-03-10');
const ID = '01900000-0000-7000-8000-00000000000a';

const SCHEDULE = {
  scheduleId: ID,
  description: 'Paper',
  value: 50,
  openValue: 50,
  scheduleDate: '2026-03-01T00:00:00-03:00',
  dueDate: '2026-03-20T00:00:00-03:00',
  stakeholder: { id: ID, name: 'Lia', isDeleted: false },
  category: {},
  costCenter: {},
  isDued: false,
  isPaid: false,
  isFlagged: false,
  type: 'Debit',
};

const observe = (kind: ListingKind, item: unknown) => observationOf(kind, item, ORGANIZATION, TODAY);
const digest = (change: object) => observe('debit-schedules', { ...SCHEDULE, ...change })?.digest;

describe('a listed schedule', () => {
  it.each([
    ['a name', { stakeholder: { id: ID.toUpperCase(), name: 'Another', isDeleted: true } }],
    ['a flag that follows from the rest', { isDued: true, isPaid: true }],
    ['another spelling', { value: 50.0, dueDate: '2026-03-20', reference: '', category: null }],
    ['a field that nobody knows', { colour: 'red' }],
  ])('is as it was with %s', (_name, change) => expect(digest(change)).toBe(digest({})));

  it.each([
    ['value', { value: 51 }],
    ['open value', { openValue: 49.99 }],
    ['due date', { dueDate: '2026-03-21' }],
    ['description', { description: 'Ink' }],
    ['reference', { reference: 'r' }],
    ['customer', { stakeholder: { id: '01900000-0000-7000-8000-00000000000b' } }],
    ['flag', { isFlagged: true }],
  ])('is another with another %s', (_name, change) => expect(digest(change)).not.toBe(digest({})));

  it('is overdue from the day after it was due on, while it is open', () => {
    const due = (change: object) => observe('debit-schedules', { ...SCHEDULE, ...change })?.due;
    expect([
      due({ dueDate: '2026-03-10' }),
      due({ dueDate: '2026-03-09' }),
      due({ dueDate: '2026-03-09', openValue: 0 }),
    ]).toEqual([undefined, '2026-03-09', undefined]);
  });

  it('is due on the day that is written as midnight in UTC', () => {
    const due = (dueDate: string) => observe('debit-schedules', { ...SCHEDULE, dueDate })?.due;
    expect([due('2026-03-10T00:00:00Z'), due('2026-03-09T00:00:00Z')]).toEqual([undefined, '2026-03-09']);
    expect(digest({ dueDate: '2026-03-20T00:00:00Z' })).toBe(digest({}));
  });

  it('is none of a customer’s when it is a payable', () => {
    expect(observe('customer-schedules', SCHEDULE)).toBeUndefined();
    expect(observe('customer-schedules', { ...SCHEDULE, type: 'Credit' })?.id).toBe(ID);
  });
});

describe('a listed balance', () => {
  const balance = (amount: unknown) => observe('balances', { accountId: ID, balance: amount })?.digest;

  it('is the same where a service adds up in doubles, and another from one unit on', () => {
    expect(balance(0.1 + 0.2)).toBe(balance('0.30'));
    expect(balance(100 - 99.9 - 0.1)).toBe(balance(0));
    expect(balance(0.31)).not.toBe(balance(0.3));
  });
});

describe('a listing', () => {
  it.each<[string, ListingKind, unknown]>([
    ['no record', 'accounts', null],
    ['a record without an identifier', 'accounts', { name: 'Main' }],
    ['an identifier that is none', 'cost-centers', { costCenterId: '1' }],
    ['a balance that is no amount', 'balances', { accountId: ID, balance: 'much' }],
    ['a schedule without a due date', 'debit-schedules', { ...SCHEDULE, dueDate: null }],
    ['an overdue entry without a value', 'overdue-credit', { scheduleId: ID, date: '2026-03-01' }],
  ])('is of no use with %s', (_name, kind, item) =>
    expect(() => observe(kind, item)).toThrow(UnusableListing),
  );
});
