import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';

/** Whom a remote service's schedules are about: the service lists schedules only by customer. */
@Injectable()
export class RemoteSchedules {
  constructor(private readonly database: Database) {}

  async put(
    tx: Transaction,
    organizationId: string,
    stakeholderId: string,
    scheduleIds: readonly string[],
  ): Promise<void> {
    await tx.remoteSchedule.createMany({
      data: scheduleIds.map((scheduleId) => ({ organizationId, scheduleId, stakeholderId })),
      skipDuplicates: true,
    });
  }

  /** @returns customers by schedule; without the schedules that Ponte does not know */
  async stakeholdersOf(organizationId: string, scheduleIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.prisma.remoteSchedule.findMany({
      where: { organizationId, scheduleId: { in: [...scheduleIds] } },
    });
    return new Map(rows.map(({ scheduleId, stakeholderId }) => [scheduleId, stakeholderId]));
  }
}
