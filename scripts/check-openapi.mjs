import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import runningService from '../dist/scripts/demo/running-service.js';

// `npm run openapi:check`: Redocly and Spectral read the description of the built service, as it is with its own books and
// before a finance service elsewhere. Fails at a warning, too, and when Spectral is not installed: it brings two hundred
// packages, so it is no development package of this repository.

const ROOT = join(import.meta.dirname, '..');
const RULES = join(import.meta.dirname, 'openapi');
/** The linters neither ask for newer versions nor report that they run. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const KINDS = {
  embedded: {},
  remote: {
    FINANCE_BACKEND: 'remote',
    FINANCE_BASE_URL: 'https://finance.invalid/v1',
    FINANCE_AUTH: 'organization',
    WATCH_EVERY: '0',
  },
};

function lint(program, ...parameters) {
  const { status, error } = spawnSync(program, parameters, {
    stdio: 'inherit',
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
  });
  if (error) throw new Error(`${program} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} ended with ${status}`);
}

/** The description that a service with these settings serves, as text. */
async function descriptionOf(folder, settings) {
  const service = await runningService.RunningService.start(join(ROOT, 'dist/src/main.js'), {
    DATA_DIR: folder,
    CONFIG_DIR: join(ROOT, 'config'),
    ADMIN_API_KEY: 'operators-key-of-the-linters',
    SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
    ...settings,
  });
  try {
    const reply = await fetch(`${service.url}/openapi.json`);
    if (!reply.ok) throw new Error(`/openapi.json: ${reply.status}`);
    return await reply.text();
  } finally {
    await service.kill();
  }
}

const work = mkdtempSync(join(tmpdir(), 'ponte-openapi-'));
try {
  for (const [kind, settings] of Object.entries(KINDS)) {
    const file = join(work, `${kind}.json`);
    writeFileSync(file, await descriptionOf(join(work, kind), settings));
    lint(join(ROOT, 'node_modules/.bin/redocly'), 'lint', file, '--config', join(RULES, 'redocly.yaml'));
    lint('spectral', 'lint', file, '--ruleset', join(RULES, 'spectral.yaml'), '--fail-severity', 'warn');
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
