import { Global, Module } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeys } from './api-keys';
import { OrganizationsRepository } from './organizations.repository';

/** Global, because the guards of every controller ask it. Needs `Database`. */
@Global()
@Module({
  providers: [OrganizationsRepository, ApiKeysRepository, ApiKeys],
  exports: [OrganizationsRepository, ApiKeys],
})
export class OrganizationsModule {}
