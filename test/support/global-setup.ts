import {
  EMBEDDED_TEMPLATE,
  EMPTY_CLUSTER,
  makeEmbeddedTemplates,
  makePostgresTemplate,
  POSTGRES_TEMPLATE,
} from './database-template';
import { folderInMemory } from './folder-in-memory';
import { TEST_SERVER } from './postgres-server';

/**
 * Bytes from which glibc gives memory back to the system as soon as it is free. It raises its own limit with every large
 * block, and a worker that has closed a database would keep the memory of its files.
 */
const GIVEN_BACK = 1024 * 1024;

/** Environment variable that names the folder of the run, to be removed at its end; absent: it has none. */
export const OWN_FOLDER = 'PONTE_TEST_FOLDER';

/** Makes the migrated databases of which the workers open copies; with a server, one there as well. */
export default async function globalSetup(): Promise<void> {
  const { migrated, empty } = await makeEmbeddedTemplates();
  process.env[EMBEDDED_TEMPLATE] = migrated;
  process.env[EMPTY_CLUSTER] = empty;
  // Workers start after this, with this environment.
  process.env['MALLOC_MMAP_THRESHOLD_'] ??= String(GIVEN_BACK);
  if (!process.env['TMPDIR']) {
    const folder = folderInMemory();
    if (folder) process.env['TMPDIR'] = process.env[OWN_FOLDER] = folder;
  }
  if (TEST_SERVER) process.env[POSTGRES_TEMPLATE] = await makePostgresTemplate();
}
