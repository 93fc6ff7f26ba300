import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const DEMO = join(__dirname, '../../dist/scripts/demo/main.js');
/** Generous: a busy machine must not decide. */
const LIMIT_MS = 300_000;

let folder: string;
let demo: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-demo-stays-'));
  // A group of its own: a terminal sends Ctrl-C to all of it.
  demo = spawn(process.execPath, [DEMO, '--stay'], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
});
afterEach(() => {
  try {
    process.kill(-(demo.pid ?? NaN), 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Where the console is, and the key to sign in with, as the demo says them. @throws Error when it does not */
function invitation(): Promise<{ address: string; key: string }> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${why}:\n${said.join('\n')}`));
    const timer = setTimeout(() => fail('the demo did not say where its console is'), LIMIT_MS);
    demo.once('exit', (code) => fail(`the demo ended with ${code}`));
    for (const stream of [demo.stdout, demo.stderr])
      createInterface({ input: stream! }).on('line', (line) => {
        said.push(line);
        const [, address] = /^Look around: (\S+)$/.exec(said.at(-2) ?? '') ?? [];
        const [, key] = /key to sign in with: (\S+)$/.exec(line) ?? [];
        if (address === undefined || key === undefined) return;
        clearTimeout(timer);
        resolve({ address, key });
      });
  });
}

/** The processes that the demo has started, and they themselves. */
function startedBy(pid: number): number[] {
  const own = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return own.flatMap((name) => [Number(name), ...startedBy(Number(name))]);
}

function parentOf(name: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Signs in with a key, as the console does, and reads the overview of the day. */
async function overviewSeenWith(key: string, url: string): Promise<unknown> {
  const signedIn = await fetch(`${url}/admin/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  expect(signedIn.status).toBe(201);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const seen = await fetch(`${url}/admin/organizations/main/overview`, { headers: { cookie } });
  expect(seen.status).toBe(200);
  return seen.json();
}

describe('the demo that stays', () => {
  it.each([
    { how: 'asked by itself', whom: (pid: number) => pid },
    { how: 'asked with all that it started, as by Ctrl-C', whom: (pid: number) => -pid },
  ])('shows its books in the console, and leaves nothing when it is $how', async ({ whom }) => {
    const { address, key } = await invitation();
    const page = await fetch(address);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<title>Ponte');
    const url = new URL(address).origin;
    expect(await overviewSeenWith(key, url)).toMatchObject({
      received: { accepted: expect.any(Number) },
      open: { deadLetters: 2 },
    });
    const pid = demo.pid!;
    const started = startedBy(pid);
    expect(started).not.toEqual([]);
    const ended = once(demo, 'exit');
    process.kill(whom(pid), 'SIGINT');
    expect(await ended).toEqual([0, null]);
    expect([pid, ...started].filter(isRunning)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    await expect(fetch(address)).rejects.toThrow();
  });
});
