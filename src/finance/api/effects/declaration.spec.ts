import { datesCount, type DatesSaid } from './declaration';

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
