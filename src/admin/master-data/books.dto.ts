import { ApiProperty } from '@nestjs/swagger';
import { VirtualAccountDetailsShape } from '../../finance/api/shapes/accounts.dto';
import { ENTRY_BOOKS, ENTRY_KINDS } from '../../finance/embedded/entries/entries.repository';

/** An account with everything that is stored of it. */
export class AccountRecordView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'What rules and tables call it' })
  code!: string | null;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  bankId!: string | null;

  @ApiProperty({ description: 'Decimal text', example: '12.34' })
  openBalance!: string;

  @ApiProperty({ description: 'ISO 4217' })
  currency!: string;

  @ApiProperty({ format: 'date' })
  dateOfOpenBalance!: string;

  @ApiProperty({ type: String, nullable: true })
  bankAgency!: string | null;

  @ApiProperty({ type: String, nullable: true })
  bankAccount!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  bankAccountVerificationNumber!: number | null;

  @ApiProperty({ type: String, nullable: true })
  type!: string | null;

  @ApiProperty({
    type: VirtualAccountDetailsShape,
    nullable: true,
    description: 'As it was sent; null: not a virtual account',
  })
  virtualAccountDetails!: VirtualAccountDetailsShape | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

/** One side of a movement. */
class SideView {
  @ApiProperty({ enum: ENTRY_BOOKS })
  book!: string;

  @ApiProperty({ format: 'uuid', description: 'All zeros: income or expense without a category' })
  id!: string;
}

class NamedRecordView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  isDeleted!: boolean;
}

/** One movement of the ledger. */
export class EntryView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ENTRY_KINDS })
  kind!: string;

  @ApiProperty({ format: 'date' })
  date!: string;

  @ApiProperty({
    description: 'Decimal text. Seen from an account: negative where money left it. Else above zero',
    example: '12.34',
  })
  value!: string;

  @ApiProperty({ description: 'ISO 4217' })
  currency!: string;

  @ApiProperty({ description: 'Where the value went' })
  debit!: SideView;

  @ApiProperty({ description: 'Where it came from' })
  credit!: SideView;

  @ApiProperty({ type: NamedRecordView, nullable: true })
  stakeholder!: NamedRecordView | null;

  @ApiProperty({ type: NamedRecordView, nullable: true })
  category!: NamedRecordView | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  costCenterId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reference!: string | null;

  @ApiProperty({ type: String, nullable: true })
  identifier!: string | null;

  @ApiProperty({ type: String, nullable: true })
  payingType!: string | null;

  @ApiProperty()
  isReconciliated!: boolean;

  @ApiProperty()
  isTransfer!: boolean;

  @ApiProperty()
  isFlagged!: boolean;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'The entry it takes back' })
  reversesId!: string | null;
}
