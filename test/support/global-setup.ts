import { makeEmbeddedTemplate, makePostgresTemplate, TEMPLATE_VARIABLE } from './database-template';
import { TEST_SERVER } from './postgres-server';

/** Makes one migrated database a run; the workers open copies of it. */
export default async function globalSetup(): Promise<void> {
  process.env[TEMPLATE_VARIABLE] = TEST_SERVER ? await makePostgresTemplate() : await makeEmbeddedTemplate();
}
