import { CalendarDate } from '../../../kernel/calendar-date';
import {
  type CreditScheduleInput,
  readSchedule,
  type ReadSchedule,
} from '../../api/effects/credit-schedule-create';
import type { EffectOutput, EffectResult } from '../../api/effects/effect';
import type { CallContent } from '../calls/call';
import type { StoredCall } from '../calls/call-states';
import { quoted, type RemoteScheduleView } from '../reads/remote-reads';
import { areExactly, type ExpectedSchedule, expectedOf, alikeSchedules } from '../reads/schedule-matching';
import { nameOf, type RemoteEffect, type RemoteEffectHandler, stalled, undecided } from './remote-effect';

/** Milliseconds between readings of instalments that are not listed yet: soon at first, as most lag by a moment. */
const FIRST_READ_AGAIN_MS = 1_000;
const LONGEST_READ_AGAIN_MS = 5_000;

/** Of the time a service is given to settle, so many: then a person must look. */
const PATIENCE = 20;

type Effect = RemoteEffect<CreditScheduleInput>;

/** Of what was sent, what tells whose schedules it made. */
interface CreditBody {
  readonly stakeholderId: string;
  readonly reference?: string;
}

/** Creates a receivable (operation 2); the instalments' identifiers are read back by its reference (operation 13). */
export const createCreditSchedule: RemoteEffectHandler<CreditScheduleInput> = async (effect) => {
  const {
    connection,
    organization,
    deliveryId,
    tools: { calls },
  } = effect;
  const schedule = readSchedule(effect.input, organization);
  const content = await contentOf(effect, schedule);
  const result = await calls.make(connection, nameOf(effect), content, { deliveryId });
  if (result.state !== 'applied') return stalled(result);
  const [call] = await calls.planned(organization.id, effect.key);
  if (!call) throw new Error('an applied call is gone');
  const read = await instalmentsOf(effect, call, result.output);
  if ('state' in read) return read;
  const { stakeholderId } = (call.content.body ?? {}) as { stakeholderId: string };
  const output = { id: read.ids[0], all: read.ids };
  const schedules = { stakeholderId, ids: read.ids, callId: call.id };
  return { state: 'applied', output, attention: [], schedules };
};

async function contentOf(
  { connection, organization, tools: { names, clock } }: Effect,
  schedule: ReadSchedule,
): Promise<CallContent> {
  const { instalments } = schedule;
  const body = {
    stakeholderId: schedule.stakeholderId,
    description: schedule.description,
    reference: schedule.reference,
    value: Number(schedule.value.toString()),
    scheduleDate: CalendarDate.fromInstant(clock.now(), organization.timeZone).toString(),
    dueDate: schedule.dueDate.toString(),
    ...(await names.classes(connection, organization, schedule)),
    instalment:
      instalments.length === 0
        ? undefined
        : instalments.map(({ value, dueDate, description }) => ({
            value: Number(value.toString()),
            dueDate: dueDate.toString(),
            description,
          })),
  };
  return { operation: 'schedules.createCredit', body };
}

/** The schedules that the call made, by due date. What was sent counts, not what is asked for now. */
async function instalmentsOf(
  effect: Effect,
  call: StoredCall,
  output: EffectOutput,
): Promise<{ ids: string[] } | EffectResult> {
  const body = (call.content.body ?? {}) as CreditBody;
  const expected = expectedOf({ ...body }, effect.organization) ?? [];
  if (output.all !== undefined) return { ids: output.all };
  if (output.id !== undefined && expected.length === 1) return { ids: [output.id] };
  const fits = (found: readonly RemoteScheduleView[]): boolean =>
    areExactly(found, expected) && (output.id === undefined || found.some(({ id }) => id === output.id));
  const filtered = await listed(effect, call, expected, `reference eq ${quoted(body.reference ?? '')}`);
  // A filter that means something else to the service must not make it look empty.
  const own = fits(filtered) ? filtered : await listed(effect, call, expected);
  if (fits(own)) return { ids: own.map(({ id }) => id) };
  return notYet(effect, call, expected.length, own.length);
}

/** Schedules that look like the call's, and are no other call's. */
async function listed(
  { connection, organization, tools }: Effect,
  call: StoredCall,
  expected: readonly ExpectedSchedule[],
  filter?: string,
): Promise<RemoteScheduleView[]> {
  const { stakeholderId, reference } = (call.content.body ?? {}) as CreditBody;
  const read = await tools.reads.schedules(connection, organization, stakeholderId, {
    ...(filter !== undefined && { filter }),
    enough: (schedules) => areExactly(alikeSchedules(schedules, expected, reference), expected),
  });
  const alike = alikeSchedules(read, expected, reference);
  if (alike.length === expected.length) return alike;
  const ids = alike.map(({ id }) => id);
  const claimed = await tools.store.claimed(tools.database.prisma, call, ids);
  return alike.filter(({ id }) => !claimed.has(id));
}

function notYet(
  { connection: { settleMs }, tools: { clock } }: Effect,
  call: StoredCall,
  expected: number,
  found: number,
): EffectResult {
  const now = clock.now();
  const reason =
    `the finance service took the receivable, but lists ${found} instalments that fit it instead of the ` +
    `${expected} that were sent`;
  const since = now.getTime() - call.updatedAt.getTime();
  if (since < settleMs * PATIENCE) {
    const again = Math.min(Math.max(since, FIRST_READ_AGAIN_MS), LONGEST_READ_AGAIN_MS);
    return { state: 'pending', until: new Date(now.getTime() + again), reason };
  }
  return undecided(reason);
}
