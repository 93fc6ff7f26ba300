import { DirectoryLock } from '../../src/database/directory-lock';

// Locks the directory given, says how that went on one line, and stays until it is killed:
// `node scripts/run-ts.cjs test/support/hold-directory.ts DIRECTORY`.

async function main(): Promise<void> {
  try {
    await DirectoryLock.acquire(process.argv[2] ?? '');
    process.stdout.write('held\n');
    setInterval(() => undefined, 60_000);
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : 'failed'}\n`);
    process.exitCode = 1;
  }
}

void main();
