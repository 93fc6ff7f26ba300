import { matchesAnnounced } from './matches-announced';

const ORGANIZATION = { timeZone: 'America/Sao_Paulo', currency: 'BRL' };

describe('what was announced and what is listed', () => {
  const listed = { id: 'a', name: 'Main', openBalance: 10, dateOfOpenBalance: '2026-03-10T00:00:00-03:00' };

  it.each<[string, object, object | undefined, boolean]>([
    ['agree when they are the same', listed, undefined, true],
    ['agree on what was sent, whatever else was sent', { id: 'a', name: 'Main', bankId: 'b' }, listed, true],
    ['agree on a date that is spelled otherwise', { dateOfOpenBalance: '2026-03-10' }, listed, true],
    ['agree on an amount that is spelled otherwise', { openBalance: '10.00' }, listed, true],
    ['agree on a text with other spaces at its ends', { name: ' Main ' }, listed, true],
    ['differ when another value is listed', { name: 'Other' }, listed, false],
    ['differ when the day is another', { dateOfOpenBalance: '2026-03-11' }, listed, false],
    [
      'differ when what was not announced has changed',
      { name: 'Main' },
      { ...listed, openBalance: 11 },
      false,
    ],
    ['agree on all that is known of a new record', { name: 'Main' }, undefined, true],
  ])('%s', (_name, announced, before, expected) => {
    expect(matchesAnnounced({ ...announced }, listed, before && { ...before }, ORGANIZATION)).toBe(expected);
  });

  it('agree that nothing is nothing, however it is written', () => {
    expect(matchesAnnounced({ code: null }, { code: '' }, {}, ORGANIZATION)).toBe(true);
    expect(matchesAnnounced({ code: 'x' }, { code: null }, {}, ORGANIZATION)).toBe(false);
  });
});
