import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderInMemory } from './support/folder-in-memory';

let memory: string;

beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'memory-'));
});
afterEach(() => rmSync(memory, { recursive: true }));

describe('a folder in memory for the files of a run', () => {
  it('is made where there is room, and others may look into it', () => {
    const folder = folderInMemory(memory, 1);
    expect(folder).toBe(join(memory, `ponte-test.${process.pid}`));
    expect(statSync(folder!).mode & 0o777).toBe(0o755);
  });

  it('is not made where there is too little room, or no such place', () => {
    expect(folderInMemory(memory, Infinity)).toBeUndefined();
    expect(folderInMemory(join(memory, 'nowhere'), 1)).toBeUndefined();
    expect(readdirSync(memory)).toEqual([]);
  });

  it('takes away what a run left that was killed, and nothing else', () => {
    const ended = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
    for (const name of [`ponte-test.${ended}`, `ponte-test.${process.ppid}`, 'of-somebody-else']) {
      mkdirSync(join(memory, name));
      writeFileSync(join(memory, name, 'file'), '');
    }
    folderInMemory(memory, 1);
    const own = [process.pid, process.ppid].map((pid) => `ponte-test.${pid}`);
    expect(readdirSync(memory).sort()).toEqual(['of-somebody-else', ...own].sort());
  });
});
