import { Injectable, Logger } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Clock } from '../../../kernel/clock';
import { newId } from '../../../kernel/identifier';
import { ScheduledRun } from '../../../kernel/scheduled-run';
import { announce } from '../changes/announce';
import { posting } from '../ledger/posting';
import { bookCredit } from './credit-booking';
import { occurrencesOf } from './credit-schedule';
import { MAX_MADE_AT_ONCE } from './new-credit-schedule';
import { dueDatesUntil, horizonFrom } from './recurrence';
import { noteProgress, takeRecurrences, type Choice, type StoredRecurrence } from './recurrence.repository';

/** Before every recurrence in the order of identifiers. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

const EVERY_MS = 3_600_000;
const FIRST_AFTER_MS = 5_000;

/** Recurrences extended in one transaction: far from its 30 seconds. */
const BATCH = 50;

/**
 * Makes the occurrences of recurrences that have come within twelve months. Any number of replicas may do this at
 * once: a recurrence is locked while it is extended, its progress commits with its schedules, and an occurrence
 * that exists cannot be stored again. A customer, category or cost center that was deleted meanwhile stays on the
 * occurrences to come: what was agreed is owed until somebody settles or ends it.
 */
@Injectable()
export class RecurrenceExtension {
  private readonly logger = new Logger(RecurrenceExtension.name);
  private readonly runs = new ScheduledRun(
    () => this.extend(),
    (error) =>
      this.logger.error({
        msg: 'recurrences: schedules could not be extended; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Called by the scheduler once after the start, so that a stop of days is made up for without waiting. */
  @Timeout('recurrence-extension-first', FIRST_AFTER_MS)
  firstTick(): Promise<void> {
    return this.tick();
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('recurrence-extension', EVERY_MS)
  async tick(): Promise<void> {
    await this.runs.tick();
  }

  /**
   * Makes everything that is due, batch by batch. A recurrence that cannot be extended is logged and left to the
   * next run; the others are extended all the same.
   * @returns how many schedules were made
   */
  async extend(): Promise<number> {
    let made = 0;
    for (let after: string | undefined = NIL_ID; after !== undefined;) {
      const batch = await this.extendBatch(after);
      made += batch.made;
      after = batch.last;
    }
    return made;
  }

  /** @returns the last recurrence read; undefined when there was none */
  private async extendBatch(after: string): Promise<{ made: number; last?: string }> {
    let taken: string[] = [];
    const choice = { after, limit: BATCH };
    try {
      const made = await this.inTransaction(choice, (ids) => (taken = ids));
      return { made, last: taken.at(-1) };
    } catch (error) {
      if (taken.length === 0) throw error;
    }
    // One of them fails, and with it the whole transaction: each gets one of its own.
    let made = 0;
    for (const only of taken) {
      try {
        made += await this.inTransaction({ only });
      } catch (error) {
        this.logger.error({
          msg: 'recurrences: a recurrence could not be extended; the next run tries it again',
          recurrence: only,
          err: error,
        });
      }
    }
    return { made, last: taken.at(-1) };
  }

  private inTransaction(choice: Choice, onTaken?: (ids: string[]) => void): Promise<number> {
    const now = this.clock.now();
    // No zone is further ahead than this; each recurrence is then compared with its own organization's day.
    const latest = horizonFrom(CalendarDate.fromInstant(now, 'Pacific/Kiritimati'));
    return this.database.transaction(async (tx) => {
      const recurrences = await takeRecurrences(tx, latest, choice);
      onTaken?.(recurrences.map(({ id }) => id));
      return extendAll(tx, recurrences, now);
    });
  }
}

async function extendAll(
  tx: Transaction,
  recurrences: readonly StoredRecurrence[],
  now: Date,
): Promise<number> {
  const extended = recurrences
    .map((recurrence) => ({ recurrence, due: dueOf(recurrence, now) }))
    .filter(({ due }) => due.dates.length > 0);
  const credits = extended.map(({ recurrence, due: { dates } }) => {
    const { id, made, rule, schedule, categoryId, costCenterId } = recurrence;
    const ids = dates.map(newId);
    const parts = occurrencesOf({ ...schedule, ids }, { rule, dates }, { recurrenceId: id, made });
    return { schedule, parts, categoryId, costCenterId };
  });
  await posting(tx, (books) => Promise.resolve(bookCredit(books, credits)));
  await noteProgress(
    tx,
    extended.map(({ recurrence: { id, made }, due }) => ({
      id,
      made: made + due.dates.length,
      next: due.next,
    })),
  );
  await announce(
    tx,
    credits.flatMap(({ schedule: { organization }, parts }) =>
      parts.map(({ id }) => ({ type: 'credit-schedule.created', id, organization }) as const),
    ),
    now,
  );
  return extended.reduce((total, { due }) => total + due.dates.length, 0);
}

function dueOf({ rule, made, schedule }: StoredRecurrence, now: Date) {
  const today = CalendarDate.fromInstant(now, schedule.organization.timeZone);
  return dueDatesUntil(rule, horizonFrom(today), { made, most: MAX_MADE_AT_ONCE });
}
