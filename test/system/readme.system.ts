import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningService } from '../../scripts/demo/running-service';

const ROOT = join(__dirname, '../..');
const OPERATORS_KEY = 'operators-key-of-the-readme';
const SECRET = 'my-first-secret';

/** The shell blocks of the README that are marked to be run, in order. */
function markedBlocks(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/<!-- run -->\n+```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}

describe('the ten minutes of the README', () => {
  it('lead to three paid instalments and the money on the account', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-readme-'));
    const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), {
      DATA_DIR: join(folder, 'data'),
      CONFIG_DIR: join(ROOT, 'config'),
      ADMIN_API_KEY: OPERATORS_KEY,
      SHOPIFY_WEBHOOK_SECRET: SECRET,
    });
    try {
      const blocks = markedBlocks();
      expect(blocks).toHaveLength(4);
      const { stdout, stderr, status } = spawnSync(
        'bash',
        ['--norc', '-euo', 'pipefail', '-c', blocks.join('\necho; echo ---\n')],
        {
          cwd: ROOT,
          encoding: 'utf8',
          env: { ...process.env, PONTE: service.url, OPERATORS_KEY, SHOPIFY_WEBHOOK_SECRET: SECRET },
        },
      );
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      const [, , delivery = '', books = ''] = stdout.split('---');
      expect(JSON.parse(delivery)).toMatchObject({ state: 'done', outcome: 'applied' });
      expect(books.match(/"isPaid":true/g)).toHaveLength(3);
      expect(books).toContain('"balance":250');
    } finally {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
