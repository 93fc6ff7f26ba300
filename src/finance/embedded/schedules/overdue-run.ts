import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Clock } from '../../../kernel/clock';
import type { Organization } from '../../../kernel/organization';
import { ScheduledRun } from '../../../kernel/scheduled-run';
import { announceOwn } from '../changes/announce';
import { lockSchedules } from '../ledger/open-schedules';
import {
  beginDays,
  type DuePlace,
  endDay,
  noteOverdue,
  organizationsOfNewDay,
  overdueAfter,
  takeDay,
} from './overdue.repository';

/** Milliseconds after an organization's midnight at which its day is noticed, at most. */
const EVERY_MS = 60_000;

/** Schedules announced in one transaction. */
const BATCH = 500;

const KINDS = ['credit', 'debit'] as const;

/** How far a run has come; absent: it begins. */
interface Progress {
  readonly kind: (typeof KINDS)[number];
  readonly after?: DuePlace;
}

/**
 * Announces `schedule.overdue`, once a day in each organization's zone and once for each due date of a schedule. Any
 * number of replicas may run: one at a time does an organization's day, and what is announced is noted in the
 * same transaction. A day that was missed is made up for by the next run.
 */
@Injectable()
export class OverdueRun {
  private readonly logger = new Logger(OverdueRun.name);
  private readonly runs = new ScheduledRun(
    () => this.announce(),
    (error) =>
      this.logger.error({
        msg: 'overdue schedules could not be announced; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('overdue-run', EVERY_MS)
  async tick(): Promise<void> {
    await this.runs.tick();
  }

  /** Deals with every organization whose day has begun. @returns how many schedules were announced */
  async announce(): Promise<number> {
    const now = this.clock.now();
    let announced = 0;
    for (const organization of await organizationsOfNewDay(this.database.prisma, now)) {
      try {
        announced += await this.announceFor(organization, now);
      } catch (error) {
        const { id: organizationId } = organization;
        this.logger.error({ msg: 'overdue schedules could not be announced', organizationId, err: error });
      }
    }
    return announced;
  }

  private async announceFor(organization: Organization, now: Date): Promise<number> {
    const today = CalendarDate.fromInstant(now, organization.timeZone);
    if (await this.database.transaction((tx) => beginDays(tx, organization, today))) return 0;
    let announced = 0;
    for (let progress: Progress | undefined = { kind: KINDS[0] }; progress;) {
      const current: Progress = progress;
      const part = await this.database.transaction((tx) =>
        announcePart(tx, organization, today, current, now),
      );
      announced += part.announced;
      progress = part.next;
    }
    return announced;
  }
}

/** @returns where the run goes on; absent: the day is done, or another does it */
async function announcePart(
  tx: Transaction,
  organization: Organization,
  today: CalendarDate,
  { kind, after }: Progress,
  now: Date,
): Promise<{ announced: number; next?: Progress }> {
  if (!(await takeDay(tx, organization, today))) return { announced: 0 };
  const found = await overdueAfter(tx, organization, kind, today, after, BATCH);
  // Locked before they are announced: what was paid meanwhile is not overdue.
  const names = found.map(({ id }) => ({ organizationId: organization.id, scheduleId: id }));
  const overdue = [...(await lockSchedules(tx, names)).values()].filter(
    ({ openMinor, dueDate }) => openMinor > 0n && dueDate.compare(today) < 0,
  );
  if (overdue.length > 0) {
    await noteOverdue(tx, overdue);
    const shown = kind === 'credit' ? { shownAs: 'overdueReceivable' as const } : {};
    const changes = overdue.map(({ id }) => ({ type: 'schedule.overdue' as const, id, ...shown }));
    await announceOwn(tx, organization, changes, now);
  }
  const last = found.at(-1);
  if (last && found.length === BATCH) return { announced: overdue.length, next: { kind, after: last } };
  const following = KINDS[KINDS.indexOf(kind) + 1];
  if (following) return { announced: overdue.length, next: { kind: following } };
  await endDay(tx, organization, today);
  return { announced: overdue.length };
}
