import { Module } from '@nestjs/common';
import { WorkflowsModule } from '../workflows/workflows.module';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { AttentionController } from './deliveries/attention.controller';
import { DeadLetters } from './deliveries/dead-letters';
import { DeadLettersController } from './deliveries/dead-letters.controller';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveryViews } from './deliveries/delivery-views';
import { Replays } from './deliveries/replays';
import { CallsAdminRepository } from './finance/calls-admin.repository';
import { EffectsAdminController } from './finance/effects-admin.controller';
import { FinanceConnectionController } from './finance/finance-connection.controller';
import { FolderWrites } from './folder-writes';
import { KeysController } from './keys.controller';
import { MASTER_DATA_CONTROLLERS, MASTER_DATA_PROVIDERS } from './master-data/master-data';
import { OrganizationsAdminController } from './organizations-admin.controller';
import { Provisioning } from './provisioning';
import { ActionsController } from './rules/actions.controller';
import { RuleAdministration } from './rules/rule-administration';
import { RulePreview } from './rules/rule-preview';
import { RulesController } from './rules/rules.controller';
import { TablesController } from './rules/tables.controller';
import { Trials } from './rules/trials';
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
    RulesController,
    ActionsController,
    TablesController,
  ],
  providers: [
    AuditRepository,
    CallsAdminRepository,
    DeadLetters,
    DeliveryViews,
    FolderWrites,
    Provisioning,
    SecretReencryption,
    SourceAdministration,
    Replays,
    ...MASTER_DATA_PROVIDERS,
    RuleAdministration,
    RulePreview,
    Trials,
  ],
  exports: [Provisioning, SecretReencryption],
})
export class AdminModule {}
