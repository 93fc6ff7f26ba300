import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningService } from '../../scripts/demo/running-service';
import { blocksOf, ROOT, run } from './pages';

const OPERATORS_KEY = 'operators-key-of-the-readme';
const SECRET = 'my-first-secret';

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
      const marked = blocksOf('README.md').filter(({ before }) => before.endsWith('<!-- run -->'));
      expect(marked).toHaveLength(4);
      const [, , delivery = '', books = ''] = await run(marked, {
        PONTE: service.url,
        ADMIN_API_KEY: OPERATORS_KEY,
        SHOPIFY_WEBHOOK_SECRET: SECRET,
      });
      expect(JSON.parse(delivery)).toMatchObject({ state: 'done', outcome: 'applied' });
      expect(books.match(/"isPaid":true/g)).toHaveLength(3);
      expect(books).toContain('"balance":250');
    } finally {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
