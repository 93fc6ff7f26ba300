import type { Database, HotStatement } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import { appendChanges } from '../../../feed/changes/changes.repository';
import { newId } from '../../../kernel/identifier';
import { type AttemptOutcome, recordedOutcome } from '../client/finance-client';
import { changeOfCall } from './announced-call';
import { CALL_COLUMNS, type CallRow, type NewCall, requestOf, stateColumns, toCall } from './call-rows.sql';
import type { CallChange, StoredCall } from './call-states';
import { isAboutPeople, keptContent } from './settled-content';

/*
 * What every call costs of the database: its intent and its outcome, each in as few statements as can be. Before a
 * service that is slow all replicas together are bound by this.
 */

/** An attempt that is over. */
export interface EndedTry {
  number: number;
  outcome: AttemptOutcome;
}

/** While the intent is committed the service has nothing to do: one statement, which is its own transaction. */
const INTEND_NEW: HotStatement = {
  name: 'intend-new-call',
  text: `
    with made as (
      insert into finance_call (id, organization_id, effect_key, part, operation, request, evidence, state, attempts,
        next_at, delivery_id, created_at, updated_at)
      values ($1::uuid, $2::uuid, $3::text, $4::int, $5::text, $6::jsonb, $7::jsonb, 'intended', 1, $8::timestamptz,
        $9::uuid, $10::timestamptz, $10::timestamptz)
      on conflict (organization_id, effect_key, part) do nothing
      returning id
    ), attempt as (
      insert into finance_attempt (call_id, number, sent_at) select id, 1, $10::timestamptz from made
    )
    select id::text as id from made`,
};

/**
 * What an attempt came to, what becomes of its call, and whom the schedules are about that the call made. What
 * others made is not remembered.
 */
const WRITE = `
  with before as (
    select announced_at from finance_call where id = $1::uuid
  ), ended as (
    update finance_attempt set ended_at = $12::timestamptz, outcome = $14::text, status = $15::int, reply = $16::text
    where call_id = $1::uuid and number = $13::int
  ), changed as (
    update finance_call set state = $3::finance_call_state, next_at = $4::timestamptz, parked_at = $5::timestamptz,
      abandoned_at = case $6::text when 'now' then coalesce(abandoned_at, $12::timestamptz) when 'never' then null
        else abandoned_at end, looks = $7::int, reason = $8::text, output = $9::jsonb,
      request = coalesce($17::jsonb, request),
      announced_at = case when $10::boolean then coalesce(announced_at, $12::timestamptz) else announced_at end,
      updated_at = $12::timestamptz
    where id = $1::uuid and $2::boolean
    returning *
  ), remembered as (
    insert into remote_schedule (organization_id, schedule_id, stakeholder_id)
    select s.organization_id, made.id::uuid, (s.request #>> '{body,stakeholderId}')::uuid
    from changed s, jsonb_array_elements_text(jsonb_path_query_array(s.output, '$.*[*]')) as made(id)
    where $10::boolean and s.operation = 'schedules.createCredit'
      and made.id ~ $11::text and s.request #>> '{body,stakeholderId}' ~ $11::text
    on conflict do nothing
  )
  select ${CALL_COLUMNS} from changed c, before where $10::boolean and before.announced_at is null`;

const UUID_FORM = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/**
 * Writes the intent to send a call that is not stored yet: it may be in effect from now on. Committed when it returns.
 * @returns the call's identifier, of which this is the first attempt; undefined when there is one of that name
 */
export async function intendNew(
  database: Database,
  call: NewCall,
  now: Date,
  nextAt: Date,
): Promise<string | undefined> {
  const { organizationId, effectKey, part, content, evidence, deliveryId } = call;
  const [made] = await database.query<{ id: string }>(INTEND_NEW, [
    newId(),
    organizationId,
    effectKey,
    part,
    content.operation,
    JSON.stringify(requestOf(content)),
    evidence ? JSON.stringify(evidence) : null,
    nextAt,
    deliveryId ?? null,
    now,
  ]);
  return made?.id;
}

/**
 * Writes what came of an attempt, where one is over, and what becomes of its call, which must be locked. One that is
 * in effect now is appended to the feed, once for ever. What it says of a person is kept until it is settled.
 * @param call as it is stored; with what was sent, where that is known and not stored any more
 */
export async function writeCall(
  tx: Transaction,
  call: StoredCall,
  change: CallChange | undefined,
  now: Date,
  ended?: EndedTry,
): Promise<void> {
  const { nextAt, reconcileAttempts, reason, output } = { ...call, ...change };
  const { state, needsReviewAt, abandonedAt } = stateColumns(call, change ?? {}, now);
  const announced = await queryInTransaction<CallRow>(tx, WRITE, [
    call.id,
    change !== undefined,
    state,
    nextAt,
    needsReviewAt,
    abandonedAt,
    reconcileAttempts,
    reason,
    JSON.stringify(output),
    change?.state === 'applied',
    UUID_FORM,
    now,
    ended?.number ?? null,
    ended ? recordedOutcome(ended.outcome.kind) : null,
    ended ? statusOf(ended.outcome) : null,
    ended ? replyOf(ended.outcome) : null,
    isAboutPeople(call.content) ? JSON.stringify(requestOf(keptContent({ ...call, ...change }))) : null,
  ]);
  await appendChanges(
    tx,
    announced.map((row) => changeOfCall({ ...toCall(row), content: call.content })),
    now,
  );
}

function statusOf(outcome: AttemptOutcome): number | null {
  if (outcome.kind === 'refused') return outcome.problem.status;
  return outcome.kind === 'not-sent' ? null : (outcome.status ?? null);
}

/** Without what the service says in its own words: those may hold personal data. */
function replyOf(outcome: AttemptOutcome): string | null {
  switch (outcome.kind) {
    case 'succeeded':
      return typeof outcome.value === 'string' ? outcome.value : null;
    case 'refused':
      return outcome.problem.code ?? null;
    case 'not-sent':
    case 'unknown':
      return outcome.reason;
  }
}
