import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as T;
}

describe('ARCHITECTURE.md', () => {
  const directory = mkdtempSync(join(tmpdir(), 'architecture-page-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Exit code of the check on a page. */
  function check(page: string): number | null {
    return spawnSync(process.execPath, [join(ROOT, 'scripts/check-architecture.mjs'), page]).status;
  }

  it('prints the modules and restricted imports as architecture.yaml has them', () => {
    expect(check(join(ROOT, 'ARCHITECTURE.md'))).toBe(0);
  });

  it('is refused when it claims an edge that is not there', () => {
    const page = join(directory, 'page.md');
    const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const changed = text.replace(/(\*\*kernel\*\*.*)nothing of ours/, '$1config');
    expect(changed).not.toBe(text);
    writeFileSync(page, changed);
    expect(check(page)).toBe(1);
  });
});

describe('package.json', () => {
  it('pins exact versions', () => {
    const manifest = read<Record<'dependencies' | 'devDependencies', Record<string, string>>>('package.json');
    const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });
});

describe('package-lock.json', () => {
  interface LockedPackage {
    version?: string;
    integrity?: string;
    resolved?: string;
    optionalDependencies?: Record<string, string>;
    engines?: Record<string, string>;
    dev?: boolean;
    /** Left out with the development packages and the optional ones together, as in production. */
    devOptional?: boolean;
  }
  const { packages } = read<{ packages: Record<string, LockedPackage> }>('package-lock.json');

  it('has no package for the service that wants a newer Node than the oldest that is promised', () => {
    const takesNode20 = (range: string): boolean =>
      range.split('||').some((part) => Number(/\d+/.exec(part)?.[0] ?? 0) <= 20);
    const tooNew = Object.entries(packages).filter(
      ([, { dev, devOptional, engines }]) =>
        !dev && !devOptional && engines?.['node'] !== undefined && !takesNode20(engines['node']),
    );
    expect(tooNew.map(([path]) => path)).toEqual([]);
  });

  /** Where Node would look for `name` from the package at `path`, nearest first. */
  function placesFor(name: string, path: string): string[] {
    const above = path.split('/node_modules/').map((_, index, parts) => parts.slice(0, index + 1));
    return [
      ...above.map((parts) => `${parts.join('/node_modules/')}/node_modules/${name}`).reverse(),
      `node_modules/${name}`,
    ];
  }

  it('knows the packages of every platform, without which npm refuses to install', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !placesFor(name, path).some((place) => place in packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('holds a checksum of every package and the address of none', () => {
    const odd = Object.entries(packages).filter(
      ([path, { integrity, resolved }]) => path !== '' && (!integrity || resolved !== undefined),
    );
    expect(odd.map(([path]) => path)).toEqual([]);
  });
});
