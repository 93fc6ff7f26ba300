import { Module } from '@nestjs/common';
import { AttentionRepository } from './attention.repository';
import { Planner } from './planner';
import { ReplayPlans } from './replay-plans';
import { RuleBook } from './rule-book';
import { RulesRepository } from '../rules/rules.repository';
import { RulesInForce } from './rules-in-force';
import { RunsRepository } from './runs.repository';
import { RemoteWorkflowEngine } from './remote-workflow-engine';
import { WorkflowEngine } from './workflow-engine';

/** Executing rules. Needs `EffectApplier`, `EffectRecords`, `StepwiseEffects`, `Database` and `Clock`. */
@Module({
  providers: [
    RuleBook,
    RulesRepository,
    RulesInForce,
    Planner,
    RunsRepository,
    AttentionRepository,
    WorkflowEngine,
    RemoteWorkflowEngine,
    ReplayPlans,
  ],
  exports: [ReplayPlans, RuleBook, RulesRepository, RulesInForce, WorkflowEngine, RemoteWorkflowEngine],
})
export class WorkflowsModule {}
