import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { RecordingServer } from '../../support/recording-server';

const ROOT = join(__dirname, '../../..');
const KEY = 'operators-key-for-the-command-line';

let server: RecordingServer;
beforeAll(async () => {
  server = await RecordingServer.start();
});
afterAll(() => server.stop());

/** `npm run ponte -- …` in a process of its own, less npm. */
function start(args: string[]): ReturnType<typeof spawn> {
  return spawn(process.execPath, ['scripts/run-ts.cjs', 'src/cli/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', PONTE_URL: server.url, PONTE_KEY: KEY, PONTE_ORG: 'main' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ReturnType<typeof spawn>): Promise<[code: number | null, stderr: string]> {
  const stderr = text(child.stderr!);
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, await stderr];
}

/** Page after page, for ever: only a reader that leaves ends it. */
function endlessPages(): void {
  const pages = Array.from({ length: 400 }, (_, page) => ({
    body: {
      items: Array.from({ length: 500 }, (_item, index) => ({
        id: `${page}-${index}`,
        topic: 't'.repeat(200),
      })),
      after: `page-${page}`,
    },
  }));
  server.answer(...pages);
}

describe('ponte as a process', () => {
  it('gives its exit code, and data alone on the standard output', async () => {
    server.answer({ body: { items: [{ slug: 'main', name: 'Padaria' }], after: null } });
    const child = start(['organizations', 'list', '--json']);
    const stdout = text(child.stdout!);
    expect(await ended(child)).toEqual([0, '']);
    expect(JSON.parse(await stdout)).toEqual({ items: [{ slug: 'main', name: 'Padaria' }], after: null });
    server.answer({
      status: 401,
      body: { type: 'urn:ponte:problem:key-invalid', title: 'No', detail: 'No.' },
    });
    expect((await ended(start(['organizations', 'list'])))[0]).toBe(4);
    expect((await ended(start(['organisations'])))[0]).toBe(2);
  });

  it.each([
    ['as JSON', ['--json']],
    ['as a table', []],
  ])('ends in good order when its reader leaves in the middle, %s', async (_form, more) => {
    endlessPages();
    const child = start(['deliveries', 'list', '--all', ...more]);
    const end = ended(child);
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    const [code, stderr] = await end;
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|Error|broke/);
    expect(server.requests.length).toBeLessThan(400);
  });

  it('finishes what was agreed to, even if nobody reads what came of it', async () => {
    server.answer({ body: { matched: 2, retried: 0 } }, { body: { matched: 2, retried: 2 } });
    const child = start(['dead-letters', 'retry-all', '--everything', '--reason', 'r', '--yes']);
    child.stdout!.destroy();
    expect((await ended(child))[0]).toBe(0);
    expect(server.requests.map(({ body }) => (JSON.parse(body) as { dryRun: boolean }).dryRun)).toEqual([
      true,
      false,
    ]);
  });

  it('takes a secret from a file without showing it in the list of processes or anywhere else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-secret-'));
    writeFileSync(join(folder, 'secret'), 'a-secret-of-a-shop\n');
    server.answer({ status: 201, body: { slug: 'loja', secretCount: 1 } });
    const child = start(['sources', 'secret-add', 'loja', '--secret-file', join(folder, 'secret')]);
    const stdout = text(child.stdout!);
    const [code, stderr] = await ended(child);
    expect([code, server.requests[0]?.body]).toEqual([0, '{"secret":"a-secret-of-a-shop"}']);
    expect(child.spawnargs.join(' ') + stderr + (await stdout)).not.toContain('a-secret-of-a-shop');
    rmSync(folder, { recursive: true });
  });
});
