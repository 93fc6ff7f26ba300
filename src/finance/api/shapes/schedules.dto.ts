import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import { Reconciled } from '../../../http/field';
import {
  IsInteger32,
  IsMoneyValue,
  IsNested,
  IsNestedList,
  IsOneOf,
  IsUuidText,
  IsWireDate,
  NeededWith,
  Optional,
  Undescribed,
} from '../../../http/validation';
import { OptionalText, OptionalUuid, OptionalFlag } from './optional-fields';
import { IsIntervalType, type IntervalType } from './interval-type';
import { LinedShape, withoutLines } from './lines.dto';
import { isOff, spelledOut } from './recurrence-spelling';
import { DATE_TIME, DOUBLE, UUID } from './view.dto';

/** More instalments than this are a mistake. */
export const MAX_INSTALMENTS = 120;

@Reconciled<RecurrenceShape>(spelledOut)
export class RecurrenceShape {
  @ValidateIf((recurrence: RecurrenceShape) => recurrence.enabled !== false)
  @IsIntervalType()
  intervalType!: IntervalType;

  /** Absent: 1. */
  @Optional()
  @IsInteger32({ min: 1 })
  interval?: number | null;

  @Optional()
  @ApiProperty({
    description:
      'Absent: what the limit says that is there; with none, Undefined, which has no end. Needed beside both limits',
  })
  @IsOneOf(['Undefined', 'ByOccurrences', 'ByDate'])
  type?: string | null;

  @NeededWith('type', 'ByOccurrences', 'Needed by ByOccurrences, and ignored otherwise: 1 to 360')
  @Optional()
  @IsInteger32()
  occurrences?: number | null;

  @NeededWith('type', 'ByDate', 'Needed by ByDate, and ignored otherwise: ISO 8601, not before the due date')
  @Optional()
  @IsWireDate()
  endDate?: CalendarDate | null;

  /** False: there is no recurrence. */
  @Undescribed()
  @OptionalFlag()
  enabled?: boolean | null;

  /** As `type`. */
  @Undescribed()
  @OptionalText()
  recurrenceEndType?: string | null;

  /** As `occurrences`. */
  @Undescribed()
  @Optional()
  @IsInteger32()
  maxOccurrences?: number | null;
}

export class InstalmentShape {
  @IsMoneyValue({ positive: true })
  value!: Money;

  @IsWireDate()
  dueDate!: CalendarDate;

  @OptionalText()
  description?: string | null;
}

/** The body of operation 2. */
@Reconciled<CreditScheduleShape>((body) => {
  if (body.recurrence && isOff(body.recurrence)) delete body.recurrence;
  return withoutLines(body);
})
export class CreditScheduleShape extends LinedShape {
  @IsUuidText()
  stakeholderId!: string;

  @OptionalText()
  description?: string | null;

  @OptionalText()
  reference?: string | null;

  @IsMoneyValue({ positive: true })
  value!: Money;

  /** Absent: today. */
  @Optional()
  @IsWireDate()
  scheduleDate?: CalendarDate | null;

  @IsWireDate()
  dueDate!: CalendarDate;

  @Optional()
  @ApiProperty({
    description: 'The day it counts as income; absent: the due date. Of a recurrence, that of the first one',
  })
  @IsWireDate()
  accrualDate?: CalendarDate | null;

  @OptionalUuid()
  categoryId?: string | null;

  @OptionalUuid()
  costCenterId?: string | null;

  @OptionalFlag()
  isFlagged?: boolean | null;

  @Optional()
  @ApiProperty({ description: 'Not beside instalments' })
  @IsNested(() => RecurrenceShape)
  recurrence?: RecurrenceShape | null;

  @Optional()
  @ApiProperty({ description: 'Their values add up to the value of the whole. Not beside a recurrence' })
  @IsNestedList(() => InstalmentShape, { max: MAX_INSTALMENTS })
  instalment?: InstalmentShape[] | null;
}

export class NamedRecordView {
  @ApiProperty({ ...UUID, required: false })
  id?: string;

  @ApiProperty({ required: false })
  name?: string;

  @ApiProperty({ required: false })
  isDeleted?: boolean;
}

export class DescribedRecordView {
  @ApiProperty({ ...UUID, required: false })
  id?: string;

  @ApiProperty({ required: false })
  description?: string;

  @ApiProperty({ required: false })
  isDeleted?: boolean;
}

/** What operations 11, 13 and 18 answer with. A schedule without category or cost center has empty objects. */
export class ScheduleFullView {
  @ApiProperty(UUID)
  scheduleId!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ required: false })
  reference?: string;

  @ApiProperty(DOUBLE)
  value!: number;

  @ApiProperty(DOUBLE)
  openValue!: number;

  @ApiProperty(DATE_TIME)
  scheduleDate!: string;

  @ApiProperty(DATE_TIME)
  accrualDate!: string;

  @ApiProperty(DATE_TIME)
  dueDate!: string;

  @ApiProperty({ type: NamedRecordView })
  stakeholder!: NamedRecordView;

  @ApiProperty({ type: NamedRecordView })
  category!: NamedRecordView;

  @ApiProperty({ type: DescribedRecordView })
  costCenter!: DescribedRecordView;

  /** Still open, and the due date is before today in the organization's zone. */
  @ApiProperty()
  isDued!: boolean;

  @ApiProperty()
  isPaid!: boolean;

  @ApiProperty()
  isFlagged!: boolean;

  /** Whether all of it has become entries. */
  @ApiProperty()
  isEntry!: boolean;

  @ApiProperty({ enum: ['Credit', 'Debit'] })
  type!: 'Credit' | 'Debit';
}

/** Money that was received or paid. */
export class MovementView {
  @ApiProperty(UUID)
  entryId!: string;

  /** What it settles; absent: it was registered directly on an account. */
  @ApiProperty({ ...UUID, required: false })
  scheduleId?: string;

  @ApiProperty({ type: NamedRecordView })
  account!: NamedRecordView;

  @ApiProperty({ type: NamedRecordView })
  stakeholder!: NamedRecordView;

  @ApiProperty({ type: NamedRecordView })
  category!: NamedRecordView;

  @ApiProperty(DATE_TIME)
  date!: string;

  @ApiProperty({ required: false })
  identifier?: string;

  @ApiProperty(DOUBLE)
  value!: number;

  @ApiProperty()
  description!: string;

  @ApiProperty({ required: false })
  reference?: string;

  @ApiProperty()
  isReconciliated!: boolean;

  @ApiProperty()
  isTransfer!: boolean;

  @ApiProperty()
  isFlagged!: boolean;
}

/** What operation 12 lists. */
export class ScheduleEntryView extends MovementView {
  @ApiProperty(UUID)
  override scheduleId!: string;
}
