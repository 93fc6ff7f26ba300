import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { pathId } from '../not-found';
import { notBuilt } from '../operations';
import { single, unacceptable } from '../outcome';
import type { ScheduledReceiptShape } from './receipts.dto';
import { ReceiptsPort } from './receipts.port';
import { settleSchedules } from './receipts.repository';
import type { Settlement } from './settlement';

@Injectable()
export class ReceiptsEmbedded extends ReceiptsPort {
  constructor(private readonly database: Database) {
    super();
  }

  override register(): Promise<string> {
    return Promise.reject(notBuilt('receipts.register'));
  }

  override async registerForSchedule(
    organization: Organization,
    scheduleId: string,
    shape: ScheduledReceiptShape,
  ): Promise<void> {
    const id = pathId(scheduleId, 'credit schedule');
    if (shape.scheduleId && shape.scheduleId !== id) {
      throw unacceptable('/scheduleId', 'path', 'the schedule is not the one of the path');
    }
    const settlement: Settlement = {
      organization,
      schedules: [id],
      value: shape.value,
      date: shape.date,
      account: shape.accountId,
      identifier: shape.identifier ?? undefined,
      payingType: shape.payingType ?? undefined,
      mode: shape.payingType?.toLowerCase() === 'close' ? 'close' : 'exact',
      receiptIds: [newId()],
    };
    single(await this.database.transaction((tx) => settleSchedules(tx, [settlement])));
  }
}
