import { Module } from '@nestjs/common';
import { Approvals } from './approvals.repository';
import { AttentionRepository } from './attention.repository';
import { Deferral } from './deferred/deferral';
import { DeferredDecisions } from './deferred/deferred-decisions';
import { DeferredList } from './deferred/deferred-list.repository';
import { DeferredEffects } from './deferred/deferred-effects.repository';
import { Planner } from './planner';
import { ReplayPlans } from './replay-plans';
import { StoredRuns } from './backtest/stored-runs.repository';
import { ActiveRules } from './active-rules';
import { RulesRepository } from '../rules/rules.repository';
import { RuleLoader } from './rule-loader';
import { RunsRepository } from './runs.repository';

/** Planning by rules; the engine of the chosen backend comes with what drives it. Needs `EffectRecords`. */
@Module({
  providers: [
    Approvals,
    ActiveRules,
    RulesRepository,
    RuleLoader,
    Planner,
    RunsRepository,
    AttentionRepository,
    Deferral,
    DeferredDecisions,
    DeferredEffects,
    DeferredList,
    ReplayPlans,
    StoredRuns,
  ],
  exports: [
    Approvals,
    ReplayPlans,
    StoredRuns,
    ActiveRules,
    RulesRepository,
    RuleLoader,
    Planner,
    RunsRepository,
    AttentionRepository,
    Deferral,
    DeferredDecisions,
    DeferredEffects,
    DeferredList,
  ],
})
export class WorkflowsModule {}
