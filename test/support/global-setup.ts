import {
  EMBEDDED_TEMPLATE,
  EMPTY_CLUSTER,
  makeEmbeddedTemplates,
  makePostgresTemplate,
  POSTGRES_TEMPLATE,
} from './database-template';
import { TEST_SERVER } from './postgres-server';

/**
 * Bytes from which glibc gives memory back to the system as soon as it is free. It raises its own limit with every large
 * block, and a worker that has closed a database would keep the memory of its files.
 */
const GIVEN_BACK = 1024 * 1024;

/** Makes the migrated databases of which the workers open copies; with a server, one there as well. */
export default async function globalSetup(): Promise<void> {
  const { migrated, empty } = await makeEmbeddedTemplates();
  process.env[EMBEDDED_TEMPLATE] = migrated;
  process.env[EMPTY_CLUSTER] = empty;
  // Workers start after this, with this environment.
  process.env['MALLOC_MMAP_THRESHOLD_'] ??= String(GIVEN_BACK);
  if (TEST_SERVER) process.env[POSTGRES_TEMPLATE] = await makePostgresTemplate();
}
