import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// `npm run monitoring:check`: Prometheus's own promtool reads the alert rules, plays their tests, and reads every
// query of the dashboard. Fails when promtool is not installed (Debian: the package prometheus).

const FOLDER = join(import.meta.dirname, '../monitoring');

/** The dashboard's queries as Prometheus gets them, when Grafana has filled in its variables. */
function queriesOf(dashboard) {
  return dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({
      title,
      expr: expr.replaceAll('$job', 'ponte').replaceAll('$__rate_interval', '5m'),
    })),
  );
}

function promtool(...parameters) {
  const { status, error } = spawnSync('promtool', parameters, { stdio: 'inherit', cwd: FOLDER });
  if (error) throw new Error(`promtool cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`promtool ${parameters.join(' ')} ended with ${status}`);
}

const queries = queriesOf(JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8')));
if (queries.length === 0) throw new Error('the dashboard asks nothing');
const work = mkdtempSync(join(tmpdir(), 'ponte-monitoring-'));
try {
  const rules = queries.map(({ expr }, index) => ({ record: `dashboard:query_${index}`, expr }));
  const file = join(work, 'dashboard.json');
  // YAML reads JSON.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  promtool('check', 'rules', 'alerts.yaml');
  promtool('test', 'rules', 'alerts.test.yaml');
  promtool('check', 'rules', file);
} finally {
  rmSync(work, { recursive: true });
}
