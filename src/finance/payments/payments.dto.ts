import { IsOptional } from 'class-validator';
import { IsFlag, IsMoneyValue, IsText, IsUuidText, IsWireDate } from '../../http/validation';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';

/** The body of operations 3 and 4: money that moves on an account without a schedule. */
export class DirectRegistrationShape {
  @IsUuidText()
  accountId!: string;

  @IsOptional()
  @IsUuidText()
  stakeholderId?: string | null;

  @IsOptional()
  @IsUuidText()
  categoryId?: string | null;

  @IsOptional()
  @IsUuidText()
  costCenterId?: string | null;

  @IsMoneyValue({ positive: true })
  value!: Money;

  @IsWireDate()
  date!: CalendarDate;

  @IsOptional()
  @IsText()
  description?: string | null;

  @IsOptional()
  @IsText()
  reference?: string | null;

  @IsOptional()
  @IsFlag()
  isFlag?: boolean | null;
}

/** The optional body of operation 8; it must not disagree with the path. */
export class PaymentDeletionShape {
  @IsOptional()
  @IsUuidText()
  paymentId?: string | null;

  @IsOptional()
  @IsUuidText()
  scheduleId?: string | null;
}
