import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Runs a program on the sources in a process of its own, where what is loaded stays visible. @returns the packages it loaded */
function packagesLoadedBy(program: string): Set<string> {
  const code = `
    require.extensions['.ts'] = (module, file) => module._compile(
      require('@swc/core').transformFileSync(file, { module: { type: 'commonjs', ignoreDynamic: true } }).code, file);
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
  it('leaves the embedded database alone until somebody opens one', () => {
    const loaded = packagesLoadedBy(`require('./src/service'); require('./src/database/open-database');`);
    expect(loaded).toContain('pg');
    expect(loaded).not.toContain('@electric-sql/pglite');
  });

  it('loads no package into the thread of the embedded database but PGlite, and that where it opens a directory', () => {
    const loaded = packagesLoadedBy(`
      // As in a thread, of a directory that cannot be made.
      require('node:worker_threads').workerData = { dataDir: '/dev/null' };
      require('./src/database/embedded-thread');`);
    expect([...loaded].filter((name) => !name.startsWith('@swc/'))).toEqual([]);
  });

  it('leaves what only a remote finance service needs alone, and what only a terminal', () => {
    const loaded = packagesLoadedBy(`require('./src/service'); require('./src/ops/logging');`);
    expect(loaded).toContain('pino');
    expect(loaded).not.toContain('axios');
    expect(loaded).not.toContain('pino-pretty');
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
