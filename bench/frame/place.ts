import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';

/** Where one Ponte keeps its data: a database on the server, or an embedded one in a folder of its own. */
export interface Place {
  /** The settings that lead there. */
  environment: Readonly<Record<string, string>>;
  /** Of a database on the server. */
  url?: string;
  /** Removes it with all that is in it, whoever is connected. */
  drop(): Promise<void>;
}

/** Brings the database of a place up to date with Ponte's migrations. */
export async function migrate(environment: Readonly<Record<string, string>>): Promise<void> {
  const database = await openDatabase(new Settings(environment));
  await database.close();
}

/** The key that secrets are stored with wherever the bench makes a Ponte. */
export const SECRETS_KEY = randomBytes(32).toString('base64');

/** An embedded place with Ponte's tables, empty. */
export function embeddedPlaces(): { make(): Promise<Place>; close(): void } {
  const root = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  const template = join(root, 'template');
  let migrated: Promise<void> | undefined;
  let made = 0;
  return {
    // A first start takes seconds; a copy of its folder takes none.
    make: async () => {
      await (migrated ??= migrate({ DATA_DIR: template }));
      const folder = join(root, String((made += 1)));
      cpSync(template, folder, { recursive: true });
      return {
        environment: { DATA_DIR: folder },
        drop: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}
