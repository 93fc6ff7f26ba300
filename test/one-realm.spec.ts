import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

/** A file whose service could stay: a timer that nobody ends keeps the test that it began in, and the test its place in the file. */
const FIRST = `
let service;
describe('a file', () => {
  beforeAll(() => {
    service = { bytes: Buffer.alloc(1024) };
    process.services = [new WeakRef(service)];
    setInterval(Function.prototype, 1e9).unref();
  });
  it('starts a timer', () => {
    setInterval(Function.prototype, 1e9).unref();
    expect(service.bytes.length).toBe(1024);
  });
});
// Jest begins with the largest file, and this one has to come first.
${'//\n'.repeat(500)}`;

const SECOND = `
it('finds nothing of the first file', async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  gc();
  expect(process.services.map((service) => service.deref())).toEqual([undefined]);
});`;

it('lets go of what a file of tests has when it has ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'realm-'));
  try {
    writeFileSync(join(folder, 'first.spec.js'), FIRST);
    writeFileSync(join(folder, 'second.spec.js'), SECOND);
    const config = {
      rootDir: folder,
      testEnvironment: join(ROOT, 'test/support/one-realm/environment.cjs'),
      runtime: join(ROOT, 'test/support/one-realm/runtime.cjs'),
      transform: {},
    };
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const options = ['--expose-gc', jest, '--runInBand', '--no-cache', '--config', JSON.stringify(config)];
    // What fails is in the error's message.
    execFileSync(process.execPath, options, { cwd: folder, stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
