import { IsMoneyValue, IsUuidText, IsWireDate, Optional } from '../../../http/validation';
import { OptionalText } from './optional-fields';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import { OfPath } from './document-fields.dto';

/** The body of operation 5. */
export class ScheduledReceiptShape {
  @Optional()
  @OfPath()
  @IsUuidText()
  scheduleId?: string | null;

  @IsUuidText()
  accountId!: string;

  @IsWireDate()
  date!: CalendarDate;

  @OptionalText()
  identifier?: string | null;

  @IsMoneyValue({ positive: true })
  value!: Money;

  /** `close`, in any letter case, writes off what the value leaves open; anything else is kept as it is. */
  @OptionalText()
  payingType?: string | null;
}
