import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import runningService from '../dist/scripts/demo/running-service.js';

// `npm run client:build`: makes the package `ponte-client`, in `.cache/client`, of `clients/typescript` and of what the built
// service says of itself at `/openapi.json`.

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'clients', 'typescript');
const folder = join(ROOT, '.cache', 'client');

function described(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}

/** The description that the service serves with its own books. */
async function description() {
  const dataDir = mkdtempSync(join(tmpdir(), 'ponte-client-'));
  const service = await runningService.RunningService.start(join(ROOT, 'dist/src/main.js'), {
    DATA_DIR: dataDir,
    CONFIG_DIR: join(ROOT, 'config'),
    ADMIN_API_KEY: 'operators-key-of-the-client',
    SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
  });
  try {
    const reply = await fetch(`${service.url}/openapi.json`);
    if (!reply.ok) throw new Error(`/openapi.json: ${reply.status}`);
    return await reply.json();
  } finally {
    await service.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const { version, license, engines, devDependencies } = described('package.json');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// A declaration file as it is: the compiler makes none of a declaration.
writeFileSync(join(folder, 'schema.d.ts'), astToString(await openapiTypescript(await description())));
for (const file of ['index.ts', 'README.md']) cpSync(join(SOURCE, file), join(folder, file));
const manifest = {
  name: 'ponte-client',
  version,
  description: "Typed client of Ponte's HTTP API.",
  license,
  type: 'module',
  engines,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  files: ['index.js', 'index.d.ts', 'schema.d.ts'],
  dependencies: { 'openapi-fetch': devDependencies['openapi-fetch'] },
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const compiled = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    ...['--ignoreConfig', '--declaration', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'],
    ...['--lib', 'es2022,dom', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
    ...['--rootDir', folder, '--outDir', folder, join(folder, 'index.ts')],
  ],
  { stdio: 'inherit', cwd: folder },
);
if (compiled.status !== 0) process.exit(1);
rmSync(join(folder, 'index.ts'));
process.stdout.write(`${folder}: ponte-client ${version}\n`);
