import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRule } from './load-rule';

const CONFIG = join(__dirname, '../../config');
const tables = readdirSync(join(CONFIG, 'tables')).map((file) => file.replace('.yaml', ''));
const files = ['rules', 'profiles/cash', 'profiles/accrual'].flatMap((folder) =>
  readdirSync(join(CONFIG, folder)).map((file) => join(folder, file)),
);

describe('the rules that come with Ponte', () => {
  it.each(files)('%s can be loaded', (file) => {
    const loaded = loadRule(readFileSync(join(CONFIG, file), 'utf8'), { tables });
    expect('problems' in loaded ? loaded.problems : []).toEqual([]);
  });
});
