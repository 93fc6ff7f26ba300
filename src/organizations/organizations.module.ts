import { Global, Module } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeys } from './api-keys';
import { CatalogRevision } from './catalog-revision.repository';
import { DocumentKeys } from './document-keys.repository';
import { OperatorKey } from './operator-key';
import { OperatorSessions } from './operator-sessions';
import { OrganizationsRepository } from './organizations.repository';

/** Global, because the guards of every controller ask it. Needs `Database` and `Clock`. */
@Global()
@Module({
  providers: [
    OrganizationsRepository,
    OperatorSessions,
    DocumentKeys,
    ApiKeysRepository,
    ApiKeys,
    CatalogRevision,
    OperatorKey,
  ],
  exports: [OrganizationsRepository, OperatorSessions, DocumentKeys, ApiKeys, CatalogRevision, OperatorKey],
})
export class OrganizationsModule {}
