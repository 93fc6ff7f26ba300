import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '../../../src/config/settings';
import { PROBLEM_MEMBERS, PROBLEMS } from '../../../src/kernel/problem';

const PAGE = readFileSync(join(__dirname, '../../../docs/finance/errors.md'), 'utf8');

describe('docs/finance/errors.md', () => {
  it('lists every problem there is, in the order of the table', () => {
    const rows = [...PAGE.matchAll(/^\| (\d{3}) +\| `([a-z-]+)` +\| (.*?) +\|$/gm)];
    expect(rows.map(([, status, code, title]) => [Number(status), code, title])).toEqual(
      Object.entries(PROBLEMS).map(([code, { status, title }]) => [status, code, title]),
    );
  });

  it('lists every member that only some problems have', () => {
    const rows = [...PAGE.matchAll(/^\| `(\w+)` +\| `([a-z-]+)` +\| (.*?) +\|$/gm)];
    expect(rows.map(([, member, code, says]) => [member, code, says])).toEqual(
      Object.entries(PROBLEM_MEMBERS).map(([member, { of, says }]) => [member, of, says]),
    );
  });

  it('names the limits as they are unless set', () => {
    const { financeRateLimit, maxRequestsInFlight } = new Settings({});
    const text = PAGE.replace(/\s+/g, ' ');
    expect(text).toContain(`requests a minute for each API key, ${financeRateLimit} by default`);
    expect(text).toContain(`at a time, ${maxRequestsInFlight} by default`);
  });
});
