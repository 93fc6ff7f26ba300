import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { SharedClock } from '../../../kernel/clock';
import { readSchedule, type ReadSchedule } from '../../api/effects/credit-schedule-create';
import type { EffectOutput, EffectResult } from '../../api/effects/effect';
import type { CallContent } from '../calls/call';
import type { StoredCall } from '../calls/call-states';
import { Calls } from '../calls/calls';
import { CallStore } from '../calls/call-store.repository';
import { RemoteNames } from '../reads/remote-names';
import { quoted, RemoteReads, type RemoteScheduleView } from '../reads/remote-reads';
import { areExactly, type ExpectedSchedule, expectedOf, alikeSchedules } from '../reads/schedule-matching';
import {
  nameOf,
  type RemoteEffect,
  type RemoteEffectHandler,
  type RemoteEffectResult,
  stalled,
  undecided,
} from './remote-effect';

/** Milliseconds between readings of instalments that are not listed yet: soon at first, as most lag by a moment. */
const FIRST_READ_AGAIN_MS = 1_000;
const LONGEST_READ_AGAIN_MS = 5_000;

/** Of the time a service is given to settle, so many: then a person must look. */
const PATIENCE = 20;

type Effect = RemoteEffect<'credit-schedule.create'>;

/** Of what was sent, what tells whose schedules it made. */
interface CreditBody {
  readonly stakeholderId: string;
  readonly reference?: string;
}

/** Creates a receivable (operation 2); the instalments' identifiers are read back by its reference (operation 13). */
@Injectable()
export class CreateCreditScheduleRemotely implements RemoteEffectHandler<'credit-schedule.create'> {
  constructor(
    private readonly calls: Calls,
    private readonly repository: CallStore,
    private readonly database: Database,
    private readonly reads: RemoteReads,
    private readonly names: RemoteNames,
    private readonly clock: SharedClock,
  ) {}

  async advance(effect: Effect): Promise<RemoteEffectResult> {
    const { connection, organization, deliveryId } = effect;
    const schedule = readSchedule(effect.input, organization);
    const content = await this.contentOf(effect, schedule);
    const result = await this.calls.make(connection, nameOf(effect), content, { deliveryId });
    if (result.state !== 'applied') return stalled(result);
    const [call] = await this.calls.planned(organization.id, effect.key);
    if (!call) throw new Error('an applied call is gone');
    const read = await this.instalments(effect, call, result.output);
    if ('state' in read) return read;
    const { stakeholderId } = (call.content.body ?? {}) as { stakeholderId: string };
    const output = { id: read.ids[0], all: read.ids };
    const schedules = { stakeholderId, ids: read.ids, callId: call.id };
    return { state: 'applied', output, attention: [], schedules };
  }

  private async contentOf(
    { connection, organization }: Effect,
    schedule: ReadSchedule,
  ): Promise<CallContent> {
    const { category, costCenter, instalments } = schedule;
    const body = {
      stakeholderId: schedule.stakeholderId,
      description: schedule.description,
      reference: schedule.reference,
      value: Number(schedule.value.toString()),
      scheduleDate: CalendarDate.fromInstant(this.clock.now(), organization.timeZone).toString(),
      dueDate: schedule.dueDate.toString(),
      categoryId: category === undefined ? undefined : this.names.category(category),
      costCenterId:
        costCenter === undefined
          ? undefined
          : await this.names.costCenter(connection, organization, costCenter),
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
  private async instalments(
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
    const filtered = await this.listed(
      effect,
      call,
      expected,
      `reference eq ${quoted(body.reference ?? '')}`,
    );
    // A filter that means something else to the service must not make it look empty.
    const own = fits(filtered) ? filtered : await this.listed(effect, call, expected);
    if (fits(own)) return { ids: own.map(({ id }) => id) };
    return this.notYet(effect.connection.settleMs, call, expected.length, own.length);
  }

  /** Schedules that look like the call's, and are no other call's. */
  private async listed(
    { connection, organization }: Effect,
    call: StoredCall,
    expected: readonly ExpectedSchedule[],
    filter?: string,
  ): Promise<RemoteScheduleView[]> {
    const { stakeholderId, reference } = (call.content.body ?? {}) as CreditBody;
    const read = await this.reads.schedules(connection, organization, stakeholderId, {
      ...(filter !== undefined && { filter }),
      enough: (schedules) => areExactly(alikeSchedules(schedules, expected, reference), expected),
    });
    const alike = alikeSchedules(read, expected, reference);
    if (alike.length === expected.length) return alike;
    const ids = alike.map(({ id }) => id);
    const claimed = await this.repository.claimed(this.database.prisma, call, ids);
    return alike.filter(({ id }) => !claimed.has(id));
  }

  private notYet(settleMs: number, call: StoredCall, expected: number, found: number): EffectResult {
    const now = this.clock.now();
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
}
