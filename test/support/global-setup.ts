import {
  EMBEDDED_TEMPLATE,
  makeEmbeddedTemplate,
  makePostgresTemplate,
  POSTGRES_TEMPLATE,
} from './database-template';
import { TEST_SERVER } from './postgres-server';

/** Makes the migrated databases of which the workers open copies; with a server, one there as well. */
export default async function globalSetup(): Promise<void> {
  process.env[EMBEDDED_TEMPLATE] = await makeEmbeddedTemplate();
  if (TEST_SERVER) process.env[POSTGRES_TEMPLATE] = await makePostgresTemplate();
}
