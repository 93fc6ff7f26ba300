import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module';
import { RetentionModule } from '../retention/retention.module';
import { WorkflowsModule } from '../workflows/workflows.module';
import { ApprovalsAdminRepository } from './approvals/approvals-admin.repository';
import { ApprovalsController } from './approvals/approvals.controller';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { BackupController } from './backup.controller';
import { BacktestController } from './backtest/backtest.controller';
import { BacktestRules } from './backtest/backtest-rules';
import { Backtests } from './backtest/backtests';
import { PeriodBacktests } from './backtest/period-backtests';
import { RepairQueue } from './backtest/repair-queue';
import { RepairBatches } from './backtest/repair-batches.repository';
import { Repairs } from './backtest/repairs';
import { RepairsController } from './backtest/repairs.controller';
import { Books } from './books/books';
import { BooksController } from './books/books.controller';
import { OriginsRepository } from './books/origins.repository';
import { CompletenessReports } from './completeness/completeness';
import { CompletenessCheck } from './completeness/completeness-check';
import { CompletenessChecks } from './completeness/completeness-checks.repository';
import { CompletenessController } from './completeness/completeness.controller';
import { CompletenessReads } from './completeness/completeness.repository';
import { CompletenessRepairs } from './completeness/completeness-repairs';
import { AttentionController } from './deliveries/attention.controller';
import { DeadLetters } from './deliveries/dead-letters';
import { DeadLettersController } from './deliveries/dead-letters.controller';
import { DeferredEffectsController } from './deliveries/deferred-effects.controller';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveryViews } from './deliveries/delivery-views';
import { Replays } from './deliveries/replays';
import { CallsAdminRepository } from './finance/calls-admin.repository';
import { EffectsAdminController } from './finance/effects-admin.controller';
import { FinanceConnectionController } from './finance/finance-connection.controller';
import { FolderWrites } from './folder-writes';
import { KeysController } from './keys.controller';
import { LiveController } from './live/live.controller';
import { LiveReads } from './live/live.repository';
import { LiveUpdates } from './live/live-updates';
import { MASTER_DATA_CONTROLLERS, MASTER_DATA_PROVIDERS } from './master-data/master-data';
import { OrganizationsAdminController } from './organizations-admin.controller';
import { Timelines } from './orders/timeline';
import { TimelineController } from './orders/timeline.controller';
import { TimelineReads } from './orders/timeline.repository';
import { NotificationEndpointsController } from './notifications/endpoints.controller';
import { SubscriptionsController } from './notifications/subscriptions.controller';
import { OverviewController } from './overview/overview.controller';
import { OverviewReads } from './overview/overview.repository';
import { PaymentsOfDay } from './overview/payments-of-day.repository';
import { Overviews } from './overview/overviews';
import { Privacy } from './privacy/privacy';
import { PrivacyController } from './privacy/privacy.controller';
import { PrivacyExports } from './privacy/privacy-exports';
import { ProfileChanges } from './profile-changes';
import { RetentionController } from './retention.controller';
import { Provisioning } from './provisioning';
import { ActionsController, RuleNamesController, RuleSchemaController } from './rules/actions.controller';
import { RuleAdministration } from './rules/rule-administration';
import { RulePreview } from './rules/rule-preview';
import { RuleTemplatesController } from './rules/rule-templates.controller';
import { RuleSettings } from './rules/rule-settings';
import { RulesController } from './rules/rules.controller';
import { TableWarnings } from './rules/table-warnings.repository';
import { TablesController } from './rules/tables.controller';
import { Trials } from './rules/trials';
import { SessionController } from './session/session.controller';
import { Search } from './search/search';
import { SearchController } from './search/search.controller';
import { SearchReads } from './search/search.repository';
import { SecretReencryption } from './secret-reencryption';
import { SourceHooksController } from './sources/hooks.controller';
import { ImportsController } from './sources/imports.controller';
import { ProvidersController } from './sources/providers.controller';
import { SourcesController } from './sources/sources.controller';
import { SourceImports } from './sources/source-imports';
import { SourceAdministration } from './sources/source-administration';
import { SourceHookAdministration } from './sources/source-hook-administration';

/** The operators' API, and the configuration folder, which is an operator that speaks first. */
@Module({
  imports: [FeedModule, WorkflowsModule, RetentionModule],
  controllers: [
    BackupController,
    OrganizationsAdminController,
    KeysController,
    SessionController,
    DeliveriesController,
    TimelineController,
    AttentionController,
    ApprovalsController,
    DeferredEffectsController,
    DeadLettersController,
    AuditController,
    RetentionController,
    FinanceConnectionController,
    EffectsAdminController,
    BooksController,
    NotificationEndpointsController,
    SubscriptionsController,
    ProvidersController,
    SourcesController,
    SourceHooksController,
    ImportsController,
    ...MASTER_DATA_CONTROLLERS,
    RulesController,
    ActionsController,
    RuleSchemaController,
    RuleNamesController,
    RuleTemplatesController,
    TablesController,
    BacktestController,
    RepairsController,
    CompletenessController,
    PrivacyController,
    OverviewController,
    SearchController,
    LiveController,
  ],
  providers: [
    ApprovalsAdminRepository,
    AuditRepository,
    Books,
    OriginsRepository,
    CallsAdminRepository,
    DeadLetters,
    DeliveryViews,
    FolderWrites,
    Privacy,
    PrivacyExports,
    ProfileChanges,
    Provisioning,
    TableWarnings,
    SecretReencryption,
    SourceAdministration,
    SourceHookAdministration,
    SourceImports,
    Replays,
    TimelineReads,
    Timelines,
    ...MASTER_DATA_PROVIDERS,
    RuleAdministration,
    RulePreview,
    RuleSettings,
    Trials,
    BacktestRules,
    Backtests,
    PeriodBacktests,
    RepairBatches,
    RepairQueue,
    CompletenessCheck,
    CompletenessChecks,
    CompletenessReads,
    CompletenessReports,
    CompletenessRepairs,
    Repairs,
    LiveReads,
    LiveUpdates,
    OverviewReads,
    PaymentsOfDay,
    Overviews,
    Search,
    SearchReads,
  ],
  exports: [Provisioning, SecretReencryption],
})
export class AdminModule {}
