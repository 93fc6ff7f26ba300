import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGE_TYPES } from '../../../src/feed/changes/change-types';

const PAGE = readFileSync(join(__dirname, '../../../docs/feed.md'), 'utf8');

describe('docs/feed.md', () => {
  it('says of every type of change what it means and what it holds, and of no other', () => {
    const rows = [...PAGE.matchAll(/^\| `([a-z-]+\.[a-z-]+)` +\| (.*?) +\| (.*?) +\|$/gm)];
    expect(rows.map(([, type, means, data]) => [type, means, data])).toEqual(
      Object.entries(CHANGE_TYPES).map(([type, { means, data }]) => [type, means, data]),
    );
  });
});
