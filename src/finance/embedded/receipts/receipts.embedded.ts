import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { schedulesPaid } from '../changes/announce';
import { EmbeddedBooks } from '../embedded-books.embedded';
import { registered } from '../lists/movement-list.sql';
import type { MovementView } from '../../api/shapes/schedules.dto';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { mustBePaths, pathId } from '../../api/ports/not-found';
import { single } from '../../api/ports/outcome';
import { registerOne } from '../payments/direct-registrations';
import type { DirectRegistrationShape } from '../../api/shapes/payments.dto';
import type { ScheduledReceiptShape } from '../../api/shapes/receipts.dto';
import { ReceiptsPort } from '../../api/ports/receipts.port';
import { posting } from '../ledger/posting';
import { settleSchedules } from './receipts.repository';
import type { Settlement } from './settlement';

@Injectable()
export class ReceiptsEmbedded extends ReceiptsPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return this.books.list(organization, registered(organization, 'receipt'), list);
  }

  override listDiscounts(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return this.books.list(organization, registered(organization, 'discount'), list);
  }

  override register(organization: Organization, receipt: DirectRegistrationShape): Promise<string> {
    return this.books.write(organization, async (tx, announce) => {
      const id = await registerOne(tx, organization, 'receipt', receipt);
      await announce([{ type: 'receipt.registered', id }]);
      return id;
    });
  }

  override async registerForSchedule(
    organization: Organization,
    scheduleId: string,
    shape: ScheduledReceiptShape,
  ): Promise<void> {
    const id = pathId(scheduleId, 'credit schedule');
    mustBePaths('scheduleId', shape, id, 'schedule');
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
    await this.books.write(organization, async (tx, announce) => {
      const { entryIds, discountIds, paidIds } = single(
        await posting(tx, (entries) => settleSchedules(entries, [settlement])),
      );
      const changes = [
        ...entryIds.map((entryId) => ({ type: 'receipt.registered', id: entryId }) as const),
        ...discountIds.map((entryId) => ({ type: 'discount.registered', id: entryId }) as const),
        ...schedulesPaid(paidIds),
      ];
      await announce(changes);
    });
  }
}
