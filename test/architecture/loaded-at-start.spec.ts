import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Runs a program on the sources in a process of its own, where what is loaded stays visible. @returns the packages it loaded */
function packagesLoadedBy(program: string): Set<string> {
  const code = `
    require('./scripts/compile-on-load.cjs').compileOnLoad();
    (async () => { ${program} })().then(() => console.log(JSON.stringify(Object.keys(require.cache))));`;
  const output = execFileSync(process.execPath, ['-e', code], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 100_000,
  });
  const files = JSON.parse(output.trim().split('\n').at(-1) ?? '[]') as string[];
  const named = files.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  return new Set(named.filter((name) => name !== undefined));
}

describe('what a start loads', () => {
  let ofService: Set<string>;
  beforeAll(() => {
    ofService = packagesLoadedBy(
      `for (const part of ['service', 'database/open-database', 'ops/logging']) require('./src/' + part);`,
    );
  });

  it('leaves the embedded database alone until somebody opens one', () => {
    expect(ofService).toContain('pg');
    expect(ofService).not.toContain('@electric-sql/pglite');
  });

  it('loads no package into the thread of the embedded database but PGlite, and that where it opens a directory', () => {
    const loaded = packagesLoadedBy(`
      // As in a thread, of a directory that cannot be made.
      require('node:worker_threads').workerData = { dataDir: '/dev/null' };
      require('./src/database/embedded-thread');`);
    expect([...loaded].filter((name) => !name.startsWith('@swc/'))).toEqual([]);
  });

  it('leaves what only a remote finance service needs alone, and what only a terminal', () => {
    expect(ofService).toContain('pino');
    expect(ofService).not.toContain('axios');
    expect(ofService).not.toContain('pino-pretty');
  });

  it('needs no compilers of JSON schemas', () => {
    const loaded = packagesLoadedBy(`
      const { createApp } = require('./src/http/create-app');
      const app = await createApp(class Empty {});
      await app.init();
      await app.close();`);
    expect(loaded).toContain('fastify');
    expect(loaded).not.toContain('ajv');
  });
});
