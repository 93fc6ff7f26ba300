import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { Clock } from '../../../kernel/clock';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { announceOwn, schedulesPaid } from '../changes/announce';
import { registered } from '../lists/movement-list.sql';
import { readList } from '../lists/list.repository';
import type { MovementView } from '../../api/shapes/schedules.dto';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { pathId } from '../../api/ports/not-found';
import { unacceptable } from '../../../kernel/problem';
import { single } from '../../api/ports/outcome';
import { registerOne } from '../payments/direct-registrations';
import type { DirectRegistrationShape } from '../../api/shapes/payments.dto';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import type { ScheduledReceiptShape } from '../../api/shapes/receipts.dto';
import { ReceiptsPort } from '../../api/ports/receipts.port';
import { posting } from '../ledger/posting';
import { settleSchedules } from './receipts.repository';
import type { Settlement } from './settlement';

@Injectable()
export class ReceiptsEmbedded extends ReceiptsPort {
  constructor(
    private readonly database: Database,
    private readonly writes: IdempotentTransaction,
    private readonly clock: Clock,
  ) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return readList(this.database.prisma, organization, registered(organization, 'receipt'), list);
  }

  override register(organization: Organization, receipt: DirectRegistrationShape): Promise<string> {
    return this.writes.transaction(async (tx) => {
      const id = await registerOne(tx, organization, 'receipt', receipt);
      await announceOwn(tx, organization, [{ type: 'receipt.registered', id }], this.clock.now());
      return id;
    });
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
      kind: 'credit',
      schedules: [id],
      value: shape.value,
      date: shape.date,
      account: shape.accountId,
      identifier: shape.identifier ?? undefined,
      payingType: shape.payingType ?? undefined,
      mode: shape.payingType?.toLowerCase() === 'close' ? 'close' : 'exact',
      entryIds: [newId()],
    };
    await this.writes.transaction(async (tx) => {
      const { entryIds, discountIds, paidIds } = single(
        await posting(tx, (books) => settleSchedules(books, [settlement])),
      );
      const changes = [
        ...entryIds.map((entryId) => ({ type: 'receipt.registered', id: entryId }) as const),
        ...discountIds.map((entryId) => ({ type: 'discount.registered', id: entryId }) as const),
        ...schedulesPaid(paidIds),
      ];
      await announceOwn(tx, organization, changes, this.clock.now());
    });
  }
}
