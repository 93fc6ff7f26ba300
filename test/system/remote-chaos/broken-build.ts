import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** A change to a built file that makes it wrong. */
export interface Damage {
  /** Below `dist/src`. */
  file: string;
  find: string;
  replace: string;
}

/** A copy of the built service that is broken on purpose. */
export class BrokenBuild {
  private constructor(private readonly folder: string) {}

  /** @throws Error when what is to be changed is not there exactly once: then it would break nothing */
  static make(...damages: Damage[]): BrokenBuild {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-broken-'));
    cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    for (const name of ['node_modules', 'prisma', 'package.json'])
      symlinkSync(join(ROOT, name), join(folder, name));
    for (const { file, find, replace } of damages) {
      const path = join(folder, 'dist/src', file);
      const parts = readFileSync(path, 'utf8').split(find);
      if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`);
      writeFileSync(path, parts.join(replace));
    }
    return new BrokenBuild(folder);
  }

  /** Path of its `main.js`. */
  get main(): string {
    return join(this.folder, 'dist/src/main.js');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
