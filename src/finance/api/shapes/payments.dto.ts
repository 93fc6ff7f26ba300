import { Reconciled } from '../../../http/field';
import { IsMoneyValue, IsUuidText, IsWireDate, Optional } from '../../../http/validation';
import { OptionalText, OptionalUuid, OptionalFlag } from './optional-fields';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import { LinedShape, withoutLines } from './lines.dto';
import { OfPath } from './document-fields.dto';

/** The body of operations 3 and 4: money that moves on an account without a schedule. */
@Reconciled<DirectRegistrationShape>(withoutLines)
export class DirectRegistrationShape extends LinedShape {
  @IsUuidText()
  accountId!: string;

  @OptionalUuid()
  stakeholderId?: string | null;

  @OptionalUuid()
  categoryId?: string | null;

  @OptionalUuid()
  costCenterId?: string | null;

  @IsMoneyValue({ positive: true })
  value!: Money;

  @IsWireDate()
  date!: CalendarDate;

  @OptionalText()
  description?: string | null;

  @OptionalText()
  reference?: string | null;

  @OptionalFlag()
  isFlag?: boolean | null;
}

/** The optional body of operation 8; it must not disagree with the path. */
export class PaymentDeletionShape {
  @Optional()
  @OfPath()
  @IsUuidText()
  paymentId?: string | null;

  @Optional()
  @OfPath()
  @IsUuidText()
  scheduleId?: string | null;
}
