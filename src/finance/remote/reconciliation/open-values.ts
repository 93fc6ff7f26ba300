import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { SharedClock } from '../../../kernel/clock';
import { formatMinor, Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import type { FinanceConnection } from '../client/connection';
import type { Evidence } from '../calls/call';
import { CallStore } from '../calls/call-store.repository';
import { digestOfReceipts, openNow, type OwnReceipt } from '../calls/own-receipts';
import { Missing, NotYetShown, RemoteReads, type RemoteScheduleView } from '../reads/remote-reads';

/** Milliseconds between readings of a listing that does not show yet what Ponte did itself. */
const READ_AGAIN_MS = 1_000;

/** A schedule with what is open on it now, and what proves that when a receipt for it is read back. */
export interface OpenSchedule {
  readonly schedule: RemoteScheduleView;
  readonly evidence: Evidence;
}

/**
 * What is open on schedules: what the service lists (operation 13), together with what Ponte itself applied since
 * that can have been so. A service may list what it was asked `settleMs` ago.
 */
@Injectable()
export class OpenValues {
  constructor(
    private readonly database: Database,
    private readonly repository: CallStore,
    private readonly reads: RemoteReads,
    private readonly clock: SharedClock,
  ) {}

  /**
   * @param scheduleIds UUIDs in lower case
   * @param recorded whether what others received counts as open: of a state that is lost it may be Ponte's own
   * @returns the schedules in the order of their identifiers
   * @throws Problem `not-found` when a schedule is not Ponte's, or gone
   * @throws NotYetShown when what is listed does not tell yet
   * @throws Unreadable
   */
  async of(
    connection: FinanceConnection,
    organization: Organization,
    scheduleIds: readonly string[],
    recorded = false,
  ): Promise<OpenSchedule[]> {
    const readAt = this.clock.now();
    const listed = await this.listed(connection, organization, scheduleIds, readAt);
    // After the listing: what was applied while it was read is known, whether it is listed or not.
    const own = await this.repository.ownReceipts(this.database.prisma, organization, scheduleIds);
    const missing = scheduleIds.find((id) => !listed.has(id));
    if (missing !== undefined) {
      const because = 'the finance service has no such credit schedule';
      throw await this.gone(connection, organization, missing, readAt, because);
    }
    return [...listed.values()]
      .filter(({ id }) => scheduleIds.includes(id))
      .toSorted((left, right) => scheduleIds.indexOf(left.id) - scheduleIds.indexOf(right.id))
      .map((schedule) => {
        const receipts = own.get(schedule.id) ?? [];
        const listed = this.weighed(connection, organization, schedule, receipts, readAt);
        return recorded ? asRecorded(listed, organization, receipts) : listed;
      });
  }

  private weighed(
    { settleMs }: FinanceConnection,
    { currency }: Organization,
    schedule: RemoteScheduleView,
    receipts: readonly OwnReceipt[],
    readAt: Date,
  ): OpenSchedule {
    const open = openNow(schedule.openMinor, readAt, settleMs, receipts);
    if ('until' in open) {
      const because = `${open.because}: what is open on a schedule is read again`;
      throw new NotYetShown(because, this.soon(open.until));
    }
    const evidence = {
      openValue: formatMinor(open.listedMinor, Money.exponentOf(currency)),
      readAt: readAt.toISOString(),
      receipts: digestOfReceipts(receipts),
    };
    return { schedule: { ...schedule, openMinor: open.openMinor }, evidence };
  }

  private async listed(
    connection: FinanceConnection,
    organization: Organization,
    scheduleIds: readonly string[],
    readAt: Date,
  ): Promise<Map<string, RemoteScheduleView>> {
    const stakeholders = await this.repository.stakeholdersOf(organization.id, scheduleIds);
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
      try {
        const read = await this.reads.schedules(connection, organization, customerId, { enough });
        for (const schedule of read) found.set(schedule.id, schedule);
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        const because = 'the finance service knows the customer of the schedule no more';
        throw await this.gone(connection, organization, wanted[0] ?? '', readAt, because);
      }
    }
    return found;
  }

  /** Whether what is not listed is gone, or was made so lately that it need not be listed yet. */
  private async gone(
    { settleMs }: FinanceConnection,
    organization: Organization,
    scheduleId: string,
    readAt: Date,
    because: string,
  ): Promise<Error> {
    const madeAt = await this.repository.madeAt(this.database.prisma, organization.id, scheduleId);
    const shownAt = new Date((madeAt?.getTime() ?? 0) + settleMs);
    if (readAt >= shownAt) return new Problem('not-found', because);
    return new NotYetShown(`${because}, but it was made just now: it is read again`, this.soon(shownAt));
  }

  /** It may be shown before it must be. */
  private soon(until: Date): Date {
    const now = this.clock.now().getTime();
    return new Date(Math.min(Math.max(until.getTime(), now + READ_AGAIN_MS / 2), now + READ_AGAIN_MS));
  }
}

/** With all open that Ponte itself has no receipt for, where that is more. */
function asRecorded(
  { schedule, evidence }: OpenSchedule,
  { currency }: Organization,
  receipts: readonly OwnReceipt[],
): OpenSchedule {
  const minor = receipts.reduce((left, receipt) => left - receipt.minor, schedule.value.minor);
  if (minor <= schedule.openMinor) return { schedule, evidence };
  const openValue = formatMinor(minor, Money.exponentOf(currency));
  return { schedule: { ...schedule, openMinor: minor }, evidence: { ...evidence, openValue } };
}
