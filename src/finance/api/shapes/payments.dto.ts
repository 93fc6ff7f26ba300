import { Reconciled } from '../../../http/field';
import { IsFlag, IsMoneyValue, IsText, IsUuidText, IsWireDate, Optional } from '../../../http/validation';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import { LinedShape, withoutLines } from './lines.dto';
import { OfPath } from './document-fields.dto';

/** The body of operations 3 and 4: money that moves on an account without a schedule. */
@Reconciled<DirectRegistrationShape>(withoutLines)
export class DirectRegistrationShape extends LinedShape {
  @IsUuidText()
  accountId!: string;

  @Optional()
  @IsUuidText()
  stakeholderId?: string | null;

  @Optional()
  @IsUuidText()
  categoryId?: string | null;

  @Optional()
  @IsUuidText()
  costCenterId?: string | null;

  @IsMoneyValue({ positive: true })
  value!: Money;

  @IsWireDate()
  date!: CalendarDate;

  @Optional()
  @IsText()
  description?: string | null;

  @Optional()
  @IsText()
  reference?: string | null;

  @Optional()
  @IsFlag()
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
