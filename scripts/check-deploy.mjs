import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

// `npm run deploy:check`: what others say of the files in deploy/. Kubernetes' own schemas read the manifests, systemd the
// unit, Caddy its file, promtool the configuration of Prometheus. Whatever is named in the environment or installed is asked:
//   KUBERNETES_MODELS  a folder in whose node_modules the package kubernetes-models is (4.5.1)
// Fails when one of them finds something or, with --all, when one is missing. test/deploy.spec.ts checks the rest.

const DEPLOY = join(import.meta.dirname, '../deploy');
const all = process.argv.includes('--all');
const missing = [];

function kubernetes() {
  const folder = process.env.KUBERNETES_MODELS;
  if (!folder) return missing.push('KUBERNETES_MODELS');
  const require = createRequire(join(folder, 'package.json'));
  let checked = 0;
  for (const file of readdirSync(join(DEPLOY, 'kubernetes')).filter((name) => name.endsWith('.yaml')))
    for (const document of parseAllDocuments(readFileSync(join(DEPLOY, 'kubernetes', file), 'utf8'))) {
      const manifest = document.toJS();
      const { apiVersion, kind, metadata } = manifest;
      const { [kind]: Model } = require(`kubernetes-models/${apiVersion}/${kind}`);
      try {
        new Model(manifest).validate();
      } catch (error) {
        throw new Error(`${file}: ${kind} ${metadata.name}: ${error.message}`);
      }
      checked += 1;
    }
  process.stdout.write(`kubernetes: ${checked} manifests fit their schemas\n`);
}

/** Node is wherever it is here. */
function systemd(work) {
  const unit = readFileSync(join(DEPLOY, 'systemd/ponte.service'), 'utf8');
  const file = join(work, 'ponte.service');
  writeFileSync(file, unit.replace('=/usr/bin/node ', `=${process.execPath} `));
  run('systemd-analyze', ['verify', file]);
}

function run(program, parameters, env = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, parameters, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (error?.code === 'ENOENT') return missing.push(program);
  process.stdout.write(`${program} ${parameters[0]}: ${status === 0 ? 'ok' : `${stdout}${stderr}`}\n`);
  if (error || status !== 0) throw new Error(`${program} ${parameters.join(' ')} ended with ${status}`);
}

const work = mkdtempSync(join(tmpdir(), 'ponte-deploy-'));
try {
  kubernetes();
  systemd(work);
  run('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'compose/Caddyfile')], {
    PONTE_HOST: 'ponte.example.com',
    HOME: work,
    XDG_DATA_HOME: work,
    XDG_CONFIG_HOME: work,
  });
  const scraping = readFileSync(join(DEPLOY, 'compose/prometheus.yml'), 'utf8');
  const file = join(work, 'prometheus.yml');
  writeFileSync(
    file,
    scraping.replace('/etc/prometheus/alerts.yaml', join(DEPLOY, '../monitoring/alerts.yaml')),
  );
  run('promtool', ['check', 'config', file]);
} finally {
  rmSync(work, { recursive: true });
}
if (missing.length > 0) process.stdout.write(`not asked, because they are not here: ${missing.join(', ')}\n`);
if (all && missing.length > 0) process.exitCode = 1;
