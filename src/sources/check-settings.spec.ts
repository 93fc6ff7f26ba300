import { checkSettings } from './check-settings';
import { shopify } from './shopify/shopify';
import type { SourceProvider } from './source';

const provider: SourceProvider = {
  ...shopify,
  title: 'A shop',
  settings: {
    token: { type: 'string', description: 'A text', required: true },
    rounds: { type: 'number', description: 'A number' },
    loud: { type: 'boolean', description: 'A flag', default: false },
    zone: { type: 'string', description: 'A zone', format: 'time-zone' },
  },
};

const wrong = (settings: Record<string, unknown>): string[] =>
  checkSettings(provider, settings).map(({ name, code }) => `${name} ${code}`);

describe('the settings of a source', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ token: 'x' }, []],
    [{ token: 'x', rounds: 0, loud: false, zone: 'America/Manaus' }, []],
    [{ token: 'x', zone: ' ' }, []],
    [{}, ['token required']],
    [{ token: ' ' }, ['token required']],
    [{ token: null }, ['token text']],
    [{ token: 'x', rounds: '1' }, ['rounds number']],
    [{ token: 'x', rounds: NaN }, ['rounds number']],
    [{ token: 'x', loud: 1 }, ['loud boolean']],
    [{ token: 'x', zone: 'GMT+25' }, ['zone time-zone']],
    [{ token: 'x', zone: '+03:00' }, ['zone time-zone']],
    [{ token: 'a\u0000b' }, ['token text']],
    [{ token: 'x', silentAfterHours: 0.5 }, []],
    [{ token: 'x', silentAfterHours: -1 }, ['silentAfterHours unfit']],
    [{ token: 'x', silentAfterHours: '6' }, ['silentAfterHours number']],
    [{ tokn: 'x', rounds: 'y' }, ['tokn unknown', 'token required', 'rounds number']],
    [
      JSON.parse('{"token": "x", "__proto__": {"rounds": 1}}') as Record<string, unknown>,
      ['__proto__ unknown'],
    ],
  ])('%j: %j', (settings, problems) => {
    expect(wrong(settings)).toEqual(problems);
  });

  it('are told of without their values, and which one was meant', () => {
    const [unknown, required] = checkSettings(provider, { tokn: 'secret' });
    expect(unknown?.message).toBe('is no setting of A shop; did you mean "token"?');
    expect(required?.message).toBe('is required');
  });

  it('are told of to an end', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, 1]));
    expect(checkSettings(provider, many)).toHaveLength(51);
  });
});
