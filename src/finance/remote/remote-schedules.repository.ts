import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';

const UUID_FORM = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** Remembers whom the schedules are about that a call made, as far as it says which; what others made is none. */
export async function rememberSchedulesOf(tx: Transaction, callId: string): Promise<void> {
  await tx.$executeRaw`
    insert into remote_schedule (organization_id, schedule_id, stakeholder_id)
    select c.organization_id, made.id::uuid, (c.request #>> '{body,stakeholderId}')::uuid
    from finance_call c, jsonb_array_elements_text(jsonb_path_query_array(c.output, '$.*[*]')) as made(id)
    where c.id = ${callId}::uuid and c.operation = 'schedules.createCredit' and c.state = 'applied'
      and made.id ~ ${UUID_FORM} and c.request #>> '{body,stakeholderId}' ~ ${UUID_FORM}
    on conflict do nothing`;
}

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
