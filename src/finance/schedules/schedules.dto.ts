import { ApiProperty } from '@nestjs/swagger';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { Amount, Day, Flag, Int32, ListOf, Nested, Text, Uuid, Word } from '../shapes/fields';
import { DATE_TIME, DOUBLE, UUID } from '../shapes/view';

/** More instalments than this are a mistake. */
export const MAX_INSTALMENTS = 120;

export class RecurrenceShape {
  @Text()
  intervalType?: string | null;

  @Int32()
  interval?: number | null;

  @Word(['Undefined', 'ByOccurrences', 'ByDate'])
  type?: string | null;

  @Int32()
  occurrences?: number | null;

  @Day()
  endDate?: CalendarDate | null;
}

export class InstalmentShape {
  @Amount({ required: true, positive: true })
  value!: Money;

  @Day({ required: true })
  dueDate!: CalendarDate;

  @Text()
  description?: string | null;
}

/** The body of operation 2. */
export class CreditScheduleShape {
  @Uuid({ required: true })
  stakeholderId!: string;

  @Text()
  description?: string | null;

  @Text()
  reference?: string | null;

  @Amount({ required: true, positive: true })
  value!: Money;

  /** Absent: today. */
  @Day()
  scheduleDate?: CalendarDate | null;

  @Day({ required: true })
  dueDate!: CalendarDate;

  @Uuid()
  categoryId?: string | null;

  @Uuid()
  costCenterId?: string | null;

  @Flag()
  isFlagged?: boolean | null;

  @Nested(() => RecurrenceShape)
  recurrence?: RecurrenceShape | null;

  @ListOf(() => InstalmentShape, MAX_INSTALMENTS)
  instalment?: InstalmentShape[] | null;
}

export class NamedRecordView {
  @ApiProperty(UUID)
  id?: string;

  @ApiProperty()
  name?: string;

  @ApiProperty()
  isDeleted?: boolean;
}

export class DescribedRecordView {
  @ApiProperty(UUID)
  id?: string;

  @ApiProperty()
  description?: string;

  @ApiProperty()
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

/** What operation 12 lists. */
export class ScheduleEntryView {
  @ApiProperty(UUID)
  entryId!: string;

  @ApiProperty(UUID)
  scheduleId!: string;

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
