import { changedRecords, datesCount, type DatesSaid } from './declaration';

const [EARLIER, LATER] = ['2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z'];

describe('the dates of what is asked for', () => {
  it.each<[DatesSaid, DatesSaid, boolean]>([
    [{ datesKnown: true }, { datesKnown: true }, true],
    [{ datesKnown: false }, { datesKnown: true }, false],
    [{ datesKnown: true }, { datesKnown: false }, false],
    [{}, { datesKnown: true }, false],
    [{ datesKnown: true, saidAt: LATER }, { datesKnown: true, saidAt: EARLIER }, true],
    [{ datesKnown: true, saidAt: EARLIER }, { datesKnown: true, saidAt: EARLIER }, true],
    [{ datesKnown: true, saidAt: EARLIER }, { datesKnown: true, saidAt: LATER }, false],
    [{ datesKnown: true, saidAt: EARLIER }, { datesKnown: true, saidAt: null }, true],
    [{ datesKnown: true }, { datesKnown: true, saidAt: LATER }, true],
  ])('%j are compared with %j: %s', (now, before, compared) => {
    expect(datesCount(now, before)).toBe(compared);
  });
});

describe('the records that inputs name', () => {
  const [before, now] = [
    { account: 'main', category: '1.1.01', costCenter: undefined },
    { account: 'bank', category: '1.1.02', costCenter: 'shop' },
  ];

  it('are each named where they differ', () => {
    expect(changedRecords(before, now, { dates: true, names: true, currency: 'BRL' })).toEqual([
      'account main, now bank',
      'category 1.1.01, now 1.1.02',
      'cost center none, now shop',
    ]);
  });

  it('are not compared where a table was put in between, nor an account that a step found', () => {
    expect(changedRecords(before, now, { dates: true, names: false, currency: 'BRL' })).toEqual([]);
    const found = { account: { $ref: 'account.id' } } as const;
    expect(
      changedRecords(before, { ...before, ...found }, { dates: true, names: true, currency: 'BRL' }),
    ).toEqual([]);
  });
});
