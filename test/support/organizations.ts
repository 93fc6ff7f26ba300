import { Settings } from '../../src/config/settings';
import type { Database } from '../../src/database/database';
import { DocumentKeys } from '../../src/organizations/document-keys.repository';
import { OrganizationsRepository } from '../../src/organizations/organizations.repository';

const SETTINGS = new Settings({ SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') });

/** Document keys apart from any service. @param settings with the `SECRETS_KEY` that they are sealed with */
export function documentKeysOn(database: Database, settings = SETTINGS): DocumentKeys {
  return new DocumentKeys(database, settings);
}

/** Organization records apart from any service. */
export function organizationsOn(database: Database, settings = SETTINGS): OrganizationsRepository {
  return new OrganizationsRepository(database, documentKeysOn(database, settings));
}
