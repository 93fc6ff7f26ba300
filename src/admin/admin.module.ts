import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { KeyAdministration } from './key-administration';
import { KeysController } from './keys.controller';
import { OrganizationsController } from './organizations.controller';

/** The operators' API. */
@Module({
  controllers: [OrganizationsController, KeysController, AuditController],
  providers: [AuditRepository, KeyAdministration],
  exports: [AuditRepository],
})
export class AdminModule {}
