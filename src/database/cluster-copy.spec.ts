import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyCluster, CopyError } from './cluster-copy';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-copy-'));
  mkdirSync(join(folder, 'cluster', 'base', 'empty'), { recursive: true });
  writeFileSync(join(folder, 'cluster', 'base', '1'), Buffer.from([0, 1, 255]));
  writeFileSync(join(folder, 'cluster', 'postmaster.pid'), '-42');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a copy of a cluster', () => {
  it('has every file and every folder, but not what names the running server, for its owner alone', () => {
    copyCluster(join(folder, 'cluster'), join(folder, 'copy'));
    expect(readdirSync(join(folder, 'copy'))).toEqual(['base']);
    expect(readdirSync(join(folder, 'copy', 'base'))).toEqual(['1', 'empty']);
    expect(readFileSync(join(folder, 'copy', 'base', '1'))).toEqual(Buffer.from([0, 1, 255]));
    expect(statSync(join(folder, 'copy')).mode & 0o077).toBe(0);
  });

  it('that fails is one line, and leaves no folder', () => {
    const target = join(folder, 'copy');
    expect(() => copyCluster(join(folder, 'nothing'), target)).toThrow(CopyError);
    expect(existsSync(target)).toBe(false);
    // A file that is gone when its turn comes, as a broken disk has it.
    symlinkSync(join(folder, 'gone'), join(folder, 'cluster', 'base', '2'));
    expect(() => copyCluster(join(folder, 'cluster'), target)).toThrow(/^the files cannot be copied: ENOENT/);
    expect(existsSync(target)).toBe(false);
  });
});
