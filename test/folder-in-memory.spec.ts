import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { folderInMemory } from './support/folder-in-memory';

let memory: string;

beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'memory-'));
});
afterEach(() => rmSync(memory, { recursive: true }));

describe('a folder in memory for the files of a run', () => {
  it('is made where there is room, and others may look into it', () => {
    const folder = folderInMemory(memory, 1);
    expect(readdirSync(memory).map((name) => join(memory, name))).toEqual([folder]);
    expect(statSync(folder!).mode & 0o777).toBe(0o755);
  });

  it('is not made where there is too little room, or no such place', () => {
    expect(folderInMemory(memory, Infinity)).toBeUndefined();
    expect(folderInMemory(join(memory, 'nowhere'), 1)).toBeUndefined();
    expect(readdirSync(memory)).toEqual([]);
  });

  it('takes away what a run left that was killed, and nothing else', () => {
    const ended = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
    const ofTheParent = `ponte-test.${process.ppid}.abc`;
    for (const name of [`ponte-test.${ended}.abc`, ofTheParent, 'of-somebody-else']) {
      mkdirSync(join(memory, name));
      writeFileSync(join(memory, name, 'file'), '');
    }
    const own = basename(folderInMemory(memory, 1)!);
    expect(readdirSync(memory).sort()).toEqual(['of-somebody-else', ofTheParent, own].sort());
  });
});
