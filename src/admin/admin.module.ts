import { Module } from '@nestjs/common';
import { WorkflowsModule } from '../workflows/workflows.module';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { FileDigests } from './file-digests.repository';
import { AttentionController } from './deliveries/attention.controller';
import { AttentionItems } from './deliveries/attention-items';
import { DeadLetters } from './deliveries/dead-letters';
import { DeadLettersController } from './deliveries/dead-letters.controller';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveryViews } from './deliveries/delivery-views';
import { Replays } from './deliveries/replays';
import { CallsAdminRepository } from './finance/calls-admin.repository';
import { EffectDecisions } from './finance/effect-decisions';
import { EffectsAdminController } from './finance/effects-admin.controller';
import { FinanceConnectionAdministration } from './finance/finance-connection';
import { FinanceConnectionController } from './finance/finance-connection.controller';
import { FolderWrites } from './folder-writes';
import { KeyAdministration } from './key-administration';
import { KeysController } from './keys.controller';
import { MASTER_DATA_CONTROLLERS, MASTER_DATA_PROVIDERS } from './master-data/master-data';
import { OrganizationAdministration } from './organization-administration';
import { OrganizationsAdminController } from './organizations-admin.controller';
import { Provisioning } from './provisioning';
import { RULE_CONTROLLERS, RULE_PROVIDERS } from './rules/rules';
import { SecretReencryption } from './secret-reencryption';
import { ProvidersController } from './sources/providers.controller';
import { SourceAdministration } from './sources/source-administration';
import { SourcesController } from './sources/sources.controller';

/** The operators' API, and the configuration folder, which is an operator that speaks first. */
@Module({
  imports: [WorkflowsModule],
  controllers: [
    OrganizationsAdminController,
    KeysController,
    DeliveriesController,
    AttentionController,
    DeadLettersController,
    AuditController,
    FinanceConnectionController,
    EffectsAdminController,
    ProvidersController,
    SourcesController,
    ...MASTER_DATA_CONTROLLERS,
    ...RULE_CONTROLLERS,
  ],
  providers: [
    AuditRepository,
    CallsAdminRepository,
    AttentionItems,
    DeadLetters,
    DeliveryViews,
    EffectDecisions,
    FileDigests,
    FinanceConnectionAdministration,
    FolderWrites,
    KeyAdministration,
    OrganizationAdministration,
    Provisioning,
    SecretReencryption,
    SourceAdministration,
    Replays,
    ...MASTER_DATA_PROVIDERS,
    ...RULE_PROVIDERS,
  ],
  exports: [Provisioning, SecretReencryption],
})
export class AdminModule {}
