import { Injectable } from '@nestjs/common';
import { intArray, textArray, uuidArray } from '../database/binary-array';
import { packTexts } from '../database/packed-texts';
import { plainArray } from '../database/plain-array';
import { rowsOf } from '../database/rows-of';
import type { Transaction } from '../database/transaction';
import { queryInTransaction } from '../database/transaction-statements';
import { type Plan, settledPlan } from '../rules/plan';
import type { Run } from './run';

/** A run that was begun and is not finished, as far as it is needed to go on with it. */
export interface BegunRun {
  id: string;
  eventIndex: number;
  plan: Plan;
}

/** What {@link RunsRepository.save} sends of each run. */
const SAVED = rowsOf(`
  id uuid, organization_id uuid, delivery_id uuid, event_index int, event_type text, business_key text,
  rule text, rule_version int, state run_state, reason text, plan_start int, plan_length int,
  steps_start int, steps_length int`);

/** Where runs are kept. */
@Injectable()
export class RunsRepository {
  /** The unfinished runs of a delivery, in the order in which they were planned. */
  async findRunning(tx: Transaction, deliveryId: string): Promise<BegunRun[]> {
    return tx.$queryRaw<BegunRun[]>`
      select id::text as id, event_index as "eventIndex", plan from run
      where delivery_id = ${deliveryId}::uuid and state = 'running'
      order by event_index, rule`;
  }

  /**
   * Stores runs; one that is stored under the same identifier is overwritten with how it stands now. What plans say of
   * people is kept while their run is under way: it is gone on with as it was planned.
   * @param finishedAt null: they are of a delivery of which one is under way, and all of them count as that
   */
  async save(tx: Transaction, runs: readonly Run[], finishedAt: Date | null): Promise<void> {
    if (runs.length === 0) return;
    const kept = ({ plan }: Run): Plan => (finishedAt === null ? plan : settledPlan(plan));
    const plans = packTexts(runs.map((run) => JSON.stringify(kept(run))));
    const steps = packTexts(runs.map((run) => JSON.stringify(run.steps)));
    await queryInTransaction(
      tx,
      `insert into run (id, organization_id, delivery_id, event_index, event_type, business_key, rule, rule_version,
        state, reason, finished_at, plan, steps)
      select id, organization_id, delivery_id, event_index, event_type, business_key, rule, rule_version, state,
        reason, $17::timestamptz,
        convert_from(substring($15::bytea from plan_start for plan_length), 'UTF8')::jsonb,
        convert_from(substring($16::bytea from steps_start for steps_length), 'UTF8')::jsonb
      from ${SAVED} r
      on conflict (id) do update
      set rule_version = excluded.rule_version, state = excluded.state, plan = excluded.plan, steps = excluded.steps,
          reason = excluded.reason, finished_at = excluded.finished_at`,
      [
        uuidArray(runs.map(({ id }) => id)),
        uuidArray(runs.map(({ organization }) => organization.id)),
        uuidArray(runs.map(({ deliveryId }) => deliveryId)),
        intArray(runs.map(({ eventIndex }) => eventIndex)),
        textArray(runs.map(({ eventType }) => eventType)),
        textArray(runs.map(({ businessKey }) => businessKey)),
        textArray(runs.map(({ plan }) => plan.rule)),
        intArray(runs.map(({ plan }) => plan.version)),
        plainArray(runs.map((run) => stateOf(run, finishedAt))),
        textArray(runs.map(({ refusal }) => refusal)),
        intArray(plans.starts),
        intArray(plans.lengths),
        intArray(steps.starts),
        intArray(steps.lengths),
        plans.bytes,
        steps.bytes,
        finishedAt,
      ],
    );
  }
}

function stateOf({ refusal }: Run, finishedAt: Date | null): 'running' | 'done' | 'refused' {
  if (finishedAt === null) return 'running';
  return refusal === undefined ? 'done' : 'refused';
}
