import { Module } from '@nestjs/common';
import { AttentionRepository } from './attention.repository';
import { Planner } from './planner';
import { ReplayPlans } from './replay-plans';
import { ActiveRules } from './active-rules';
import { RulesRepository } from '../rules/rules.repository';
import { RuleLoader } from './rule-loader';
import { RunsRepository } from './runs.repository';
import { RemoteWorkflowEngine } from './remote-workflow-engine';
import { WorkflowEngine } from './workflow-engine';

/** Executing rules. Needs `EffectApplier`, `EffectRecords`, `StepwiseEffects`, `Database` and `Clock`. */
@Module({
  providers: [
    ActiveRules,
    RulesRepository,
    RuleLoader,
    Planner,
    RunsRepository,
    AttentionRepository,
    WorkflowEngine,
    RemoteWorkflowEngine,
    ReplayPlans,
  ],
  exports: [ReplayPlans, ActiveRules, RulesRepository, RuleLoader, WorkflowEngine, RemoteWorkflowEngine],
})
export class WorkflowsModule {}
