import { IsFlag, IsMoneyText, IsText, IsUuidText, IsWireDate, Optional } from '../../http/validation';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';

const CURRENCY = { form: /^[A-Z]{3}$/, message: 'must be three capital letters' };

class AmountBody {
  @IsMoneyText()
  value!: Money;

  /** The organization's, where it is there. */
  @Optional()
  @IsText({ pattern: CURRENCY })
  currency?: string | null;

  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;

  @Optional()
  @IsText()
  description?: string | null;
}

export class NewDebitScheduleBody extends AmountBody {
  /** A supplier or partner. */
  @IsUuidText()
  stakeholderId!: string;

  @IsWireDate()
  dueDate!: CalendarDate;

  /** Absent: today. */
  @Optional()
  @IsWireDate()
  scheduleDate?: CalendarDate | null;

  @Optional()
  @IsText()
  reference?: string | null;

  /** Of type `out`. */
  @Optional()
  @IsUuidText()
  categoryId?: string | null;

  @Optional()
  @IsUuidText()
  costCenterId?: string | null;

  @Optional()
  @IsFlag()
  isFlagged?: boolean | null;
}

export class NewPaymentBody extends AmountBody {
  @IsUuidText()
  accountId!: string;

  @IsWireDate()
  date!: CalendarDate;

  @Optional()
  @IsText()
  identifier?: string | null;

  @Optional()
  @IsText()
  payingType?: string | null;
}
