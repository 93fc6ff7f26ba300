import { rmSync } from 'node:fs';
import { POSTGRES_TEMPLATE } from './database-template';
import { OWN_FOLDER } from './global-setup';
import { dropDatabase, TEST_SERVER } from './postgres-server';

/** The embedded template stays for the next run; the one on a server goes. */
export default async function globalTeardown(): Promise<void> {
  const template = process.env[POSTGRES_TEMPLATE];
  if (TEST_SERVER && template) await dropDatabase(template);
  const folder = process.env[OWN_FOLDER];
  if (folder) rmSync(folder, { recursive: true, force: true });
}
