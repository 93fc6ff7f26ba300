import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CONFIG = join(__dirname, '../../config');

/** The configuration that comes with the product, with lookup tables of a test's own. */
export class ConfigFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'ponte-config-'));

  /** @param tables entries by the table's name */
  constructor(tables: Readonly<Record<string, Readonly<Record<string, string>>>>) {
    cpSync(CONFIG, this.path, { recursive: true });
    for (const [table, entries] of Object.entries(tables)) {
      const text = JSON.stringify({ table, entries });
      writeFileSync(join(this.path, `tables/${table}.yaml`), text);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
