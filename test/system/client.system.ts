import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { RunningService } from '../../scripts/demo/running-service';
import { everyOperation, operationsIn } from './client/every-operation';
import { type Block, blocksOf, ROOT, run } from './pages';
import { installForProduction } from './production-install';

const PAGE = 'docs/api-clients.md';
const OPERATORS_KEY = 'operators-key-of-the-client';
const SECRET = 'my-first-secret';

/** As strict as a project that was begun today. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ['node'],
  },
  files: ['ten-minutes.ts', 'every-operation.ts'],
};

let folder: string;
let service: RunningService;
let settings: Record<string, string>;
let document: OpenAPIObject;
let compiled: { status: number | null; stdout: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-client-'));
  const installed = join(folder, 'ponte');
  service = await RunningService.start(await installForProduction(installed), {
    DATA_DIR: join(installed, 'data'),
    CONFIG_DIR: join(installed, 'config'),
    NODE_ENV: 'production',
    ADMIN_API_KEY: OPERATORS_KEY,
    SHOPIFY_WEBHOOK_SECRET: SECRET,
  });
  settings = { PONTE: service.url, ADMIN_API_KEY: OPERATORS_KEY, SHOPIFY_WEBHOOK_SECRET: SECRET };
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
  const blocks = blocksOf(PAGE);
  // The page says how, in a project that has only what the page installs; npm speaks of its settings on the standard error.
  await run(
    blocks.filter(({ before }) => before.endsWith('<!-- run -->')),
    { ...settings, PROJECT: folder },
    { cwd: ROOT, talkative: true },
  );
  for (const name of ['@types', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const [walk] = blocks.filter(({ language }) => language === 'ts') as [Block];
  write('ten-minutes.ts', walk.text);
  write('every-operation.ts', everyOperation(document));
  write('package.json', JSON.stringify({ type: 'module' }));
  write('tsconfig.json', JSON.stringify(TSCONFIG));
  compiled = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  });
});

afterAll(async () => {
  await service?.kill();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

describe('clients made of the description', () => {
  it('compile, the generated one against every operation', () => {
    expect(compiled.stdout).toBe('');
    expect(compiled.status).toBe(0);
    const calls = everyOperation(document).match(/const \{ .*error \} = await client\./g) ?? [];
    expect(operationsIn(document)).toBeGreaterThan(100);
    expect(calls).toHaveLength(operationsIn(document));
  });

  it('walk the ten minutes of the README: three paid instalments and the money on the account', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'ten-minutes.js')], {
      cwd: ROOT,
      env: { ...process.env, ...settings },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toContain("outcome: 'applied'");
    expect(stdout).toContain('paid: 3');
    expect(stdout).toMatch(/: 250'/);
  });

  it('tell a refusal by its status and its code', () => {
    write(
      'refused.mjs',
      `import { answer, createPonteClient, PonteError } from 'ponte-client';
      const ponte = createPonteClient({ baseUrl: process.env.PONTE, key: 'wrong' });
      const refused = await answer(ponte.GET('/v1/accounts/views/balance')).catch((error) => error);
      const { status, code, problem, message } = refused;
      console.log(JSON.stringify([refused instanceof PonteError, status, code, message === \`401 \${code}: \${problem.detail}\`]));`,
    );
    const { stdout } = spawnSync(process.execPath, [join(folder, 'refused.mjs')], {
      env: { ...process.env, ...settings },
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual([true, 401, 'key-invalid', true]);
  });
});
