import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS } from '../../src/sources/registry';
import { VERSION } from '../../src/kernel/version';

const ROOT = join(__dirname, '../..');

function text(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('what the pages say', () => {
  it.each(PROVIDERS.map((provider) => [provider.title, provider] as const))(
    'have a page for %s, which names its every setting',
    (_, provider) => {
      const page = text(`docs/sources/${provider.id}.md`);
      const missing = Object.keys(provider.settings).filter((name) => !page.includes(`\`${name}\``));
      expect(missing).toEqual([]);
    },
  );

  it('names every setting that the environment may give', () => {
    const read = [...text('src/config/settings.ts').matchAll(/\.(?:text|read)\(\s*'([A-Z_]+)'/g)].map(
      (match) => match[1] ?? '',
    );
    expect(read.length).toBeGreaterThan(25);
    const readme = text('README.md');
    expect(read.filter((name) => !readme.includes(`\`${name}\``) && !readme.includes(`\`${name}=`))).toEqual(
      [],
    );
  });

  it('gives one version everywhere', () => {
    expect((JSON.parse(text('package.json')) as { version: string }).version).toBe(VERSION);
  });
});
