import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { formatMinor, Money } from '../../../kernel/money';
import { Problem } from '../../../kernel/problem';
import { leftOver, readAllocation } from '../../effects/allocate-receipt';
import { allocate } from '../../receipts/allocation';
import type { Evidence } from '../call';
import type { StoredCall } from '../call-states';
import { Calls, type PlannedCall } from '../calls';
import { RemoteNames } from '../remote-names';
import { Missing, moneyOf, RemoteReads, type RemoteScheduleView } from '../remote-reads';
import { RemoteSchedules } from '../remote-schedules.repository';
import { nameOf, type Progress, type RemoteEffect, type RemoteEffectHandler, stalled } from './remote-effect';

/** Milliseconds after which what is open on a schedule is read again before a receipt is sent. */
const EVIDENCE_MS = 10_000;

type Effect = RemoteEffect<'receipt.allocate'>;
type Allocation = ReturnType<typeof readAllocation>;

/** What is open on schedules, and when that was so. */
interface OpenValues {
  readonly schedules: readonly RemoteScheduleView[];
  readonly readAt: string;
}

/**
 * Spreads a payment over schedules (operation 13), oldest due date first, and registers one receipt a schedule
 * (operation 5). How it is spread is decided once and written down before the first receipt is sent.
 */
@Injectable()
export class AllocateReceiptRemotely implements RemoteEffectHandler<'receipt.allocate'> {
  constructor(
    private readonly calls: Calls,
    private readonly reads: RemoteReads,
    private readonly names: RemoteNames,
    private readonly schedules: RemoteSchedules,
    private readonly clock: Clock,
  ) {}

  async advance(effect: Effect): Promise<Progress> {
    const allocation = readAllocation(effect.input, effect.organization);
    if (!allocation.value.isPositive) throw new Problem('validation-failed', 'the value must be more than 0');
    const before = await this.calls.planned(effect.organization.id, effect.key);
    const parts = before.length > 0 ? before : await this.plan(effect, allocation);
    for (const part of parts) {
      const evidence = this.isStale(part) ? await this.evidence(effect, part) : undefined;
      const result = await this.calls.make(effect.connection, nameOf(effect, part.part), part.content, {
        deliveryId: effect.deliveryId,
        ...(evidence ? { evidence } : {}),
      });
      if (result.state !== 'applied') return stalled(result);
    }
    return { state: 'done', output: { all: [] }, attention: rest(effect, allocation.value, parts) };
  }

  private async plan(effect: Effect, allocation: Allocation): Promise<StoredCall[]> {
    const { connection, organization, key, deliveryId } = effect;
    const accountId = await this.names.account(connection, organization, allocation.account);
    const { schedules, readAt } = await this.open(effect, allocation.schedules);
    const parts = allocate(allocation.value.minor, schedules).map(({ schedule, minor }): PlannedCall => {
      const value = Money.ofMinor(minor, organization.currency).toString();
      return {
        content: {
          operation: 'receipts.registerForSchedule',
          path: { ScheduleId: schedule.id },
          body: {
            scheduleId: schedule.id,
            accountId,
            date: allocation.date.toString(),
            identifier: allocation.identifier,
            value: Number(value),
          },
        },
        evidence: evidenceOf(schedule, organization.currency, readAt),
      };
    });
    return parts.length === 0 ? [] : this.calls.plan(organization.id, key, parts, deliveryId);
  }

  /** Whether a part that may be sent now was weighed too long ago. */
  private isStale({ state, evidence }: StoredCall): boolean {
    if (state !== 'planned' && state !== 'refused') return false;
    const readAt = new Date(evidence.readAt ?? 0);
    return this.clock.now().getTime() - readAt.getTime() > EVIDENCE_MS;
  }

  /** What is open on a part's schedule now: others may have settled it since the last attempt. */
  private async evidence(effect: Effect, { content }: StoredCall): Promise<Evidence> {
    const { schedules, readAt } = await this.open(effect, [content.path?.['ScheduleId'] ?? '']);
    const [schedule] = schedules;
    if (!schedule) throw new Error('a schedule was read and is gone');
    return evidenceOf(schedule, effect.organization.currency, readAt);
  }

  /** @throws Problem when a schedule is not Ponte's, or gone; Unreadable */
  private async open(
    { connection, organization }: Effect,
    scheduleIds: readonly string[],
  ): Promise<OpenValues> {
    const readAt = this.clock.now().toISOString();
    const stakeholders = await this.schedules.stakeholdersOf(organization.id, scheduleIds);
    if (scheduleIds.some((id) => !stakeholders.has(id))) {
      throw new Problem(
        'not-found',
        'a schedule was not made by Ponte, so that it is not known whom to ask for it',
      );
    }
    const found = new Map<string, RemoteScheduleView>();
    for (const customerId of new Set(stakeholders.values())) {
      const wanted = scheduleIds.filter((id) => stakeholders.get(id) === customerId);
      const enough = (schedules: readonly RemoteScheduleView[]): boolean =>
        wanted.every((id) => schedules.some((schedule) => schedule.id === id));
      const read = await this.reads
        .schedules(connection, organization, customerId, { enough })
        .catch(customerGone);
      for (const schedule of read) found.set(schedule.id, schedule);
    }
    const schedules = scheduleIds.map((id) => {
      const schedule = found.get(id);
      if (!schedule) throw new Problem('not-found', 'the finance service has no such credit schedule');
      return schedule;
    });
    return { schedules, readAt };
  }
}

function customerGone(error: unknown): never {
  if (!(error instanceof Missing)) throw error;
  throw new Problem('not-found', 'the finance service knows the customer of the schedule no more');
}

function evidenceOf({ openMinor }: RemoteScheduleView, currency: string, readAt: string): Evidence {
  return { openValue: formatMinor(openMinor, Money.exponentOf(currency)), readAt };
}

/** What the parts, as they were written down, leave over. */
function rest({ organization, key }: Effect, value: Money, parts: readonly StoredCall[]) {
  const spread = parts.reduce((sum, { content }) => {
    const part = moneyOf((content.body as { value?: unknown } | undefined)?.value, organization.currency);
    if (!part) throw new Error('a planned receipt has no value');
    return sum + part.minor;
  }, 0n);
  const leftOverMinor = value.minor > spread ? value.minor - spread : 0n;
  return leftOver({ key, value }, { leftOverMinor });
}
