import { Module } from '@nestjs/common';
import { RuleBook } from './rule-book';
import { RunsRepository } from './runs.repository';
import { WorkflowEngine } from './workflow-engine';

/** Executing rules. Needs `EffectApplier` and `Clock`. */
@Module({
  providers: [RuleBook, RunsRepository, WorkflowEngine],
  exports: [RuleBook, WorkflowEngine],
})
export class WorkflowsModule {}
