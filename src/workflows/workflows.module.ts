import { Module } from '@nestjs/common';
import { AttentionRepository } from './attention.repository';
import { Planner } from './planner';
import { ReplayPlans } from './replay-plans';
import { ActiveRules } from './active-rules';
import { RulesRepository } from '../rules/rules.repository';
import { RuleLoader } from './rule-loader';
import { RunsRepository } from './runs.repository';

/** Planning by rules; the engine of the chosen backend comes with what drives it. Needs `EffectRecords`. */
@Module({
  providers: [
    ActiveRules,
    RulesRepository,
    RuleLoader,
    Planner,
    RunsRepository,
    AttentionRepository,
    ReplayPlans,
  ],
  exports: [
    ReplayPlans,
    ActiveRules,
    RulesRepository,
    RuleLoader,
    Planner,
    RunsRepository,
    AttentionRepository,
  ],
})
export class WorkflowsModule {}
