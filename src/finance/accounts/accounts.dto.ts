import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, Max, Min } from 'class-validator';
import {
  IsFlag,
  IsInteger32,
  IsMoneyValue,
  IsNested,
  IsText,
  IsUuidText,
  IsWireDate,
} from '../../http/validation';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { IsTaxIdText } from '../shapes/document-fields.dto';
import { DATE_TIME, DOUBLE, UUID } from '../shapes/view.dto';

export class VirtualAddressShape {
  @IsOptional()
  @IsText()
  address?: string | null;

  @IsOptional()
  @IsText()
  city?: string | null;

  @IsOptional()
  @IsText()
  state?: string | null;

  @IsOptional()
  @IsText({ pattern: { form: /^\d{5}-?\d{3}$/, message: 'must be eight digits' } })
  cep?: string | null;
}

export class AccountToTransferShape {
  @IsOptional()
  @IsText()
  type?: string | null;

  @IsOptional()
  @IsText()
  bank?: string | null;

  @IsOptional()
  @IsText()
  agency?: string | null;

  @IsOptional()
  @IsText()
  number?: string | null;

  @IsOptional()
  @IsUuidText()
  accountWithDrawId?: string | null;
}

export class BankSlipShape {
  @IsOptional()
  @IsFlag()
  enableFines?: boolean | null;

  @IsOptional()
  @IsFlag()
  enableInterestPerDay?: boolean | null;

  /** The law allows a fine of 2 percent. */
  @IsOptional()
  @ApiProperty({ ...DOUBLE, minimum: 0, maximum: 2 })
  @Min(0, { message: 'must be from 0 to 2' })
  @Max(2, { message: 'must be from 0 to 2' })
  latePaymentFinePercent?: number | null;
}

export class TaxShape {
  @IsOptional()
  @IsUuidText()
  stakeholderId?: string | null;

  @IsOptional()
  @IsUuidText()
  categoryId?: string | null;
}

export class VirtualAccountConfigurationShape {
  @IsOptional()
  @IsNested(() => BankSlipShape)
  bankSlip?: BankSlipShape | null;

  @IsOptional()
  @IsNested(() => TaxShape)
  tax?: TaxShape | null;
}

export class VirtualAccountDetailsShape {
  @IsOptional()
  @IsText()
  exibitionName?: string | null;

  @IsOptional()
  @IsTaxIdText()
  cpfCnpj?: string | null;

  @IsOptional()
  @IsText()
  name?: string | null;

  @IsOptional()
  @IsText()
  businessDescription?: string | null;

  @IsOptional()
  @IsText()
  responsibleName?: string | null;

  @IsOptional()
  @IsTaxIdText('Cpf')
  responsibleCpf?: string | null;

  @IsOptional()
  @IsText()
  phone?: string | null;

  @IsOptional()
  @IsNested(() => VirtualAddressShape)
  address?: VirtualAddressShape | null;

  @IsOptional()
  @IsNested(() => AccountToTransferShape)
  accountToTransfer?: AccountToTransferShape | null;

  @IsOptional()
  @IsNested(() => VirtualAccountConfigurationShape)
  configuration?: VirtualAccountConfigurationShape | null;
}

/** What operations 9 and 10 have in common. */
export class AccountFieldsShape {
  @IsOptional()
  @IsUuidText()
  bankId?: string | null;

  /** May be negative. Absent on creation: zero. */
  @IsOptional()
  @IsMoneyValue()
  openBalance?: Money | null;

  /** Absent on creation: today. */
  @IsOptional()
  @IsWireDate()
  dateOfOpenBalance?: CalendarDate | null;

  @IsOptional()
  @IsText()
  bankAgency?: string | null;

  @IsOptional()
  @IsText()
  bankAccount?: string | null;

  @IsOptional()
  @IsInteger32()
  bankAccountVerificationNumber?: number | null;

  @IsOptional()
  @IsText()
  type?: string | null;

  /** Present: a virtual account. */
  @IsOptional()
  @IsNested(() => VirtualAccountDetailsShape)
  virtualAccountDetails?: VirtualAccountDetailsShape | null;
}

/** The body of operation 10. */
export class AccountShape extends AccountFieldsShape {
  @IsText()
  name!: string;
}

/** The body of operation 9: what is left out keeps its value. */
export class AccountUpdateShape extends AccountFieldsShape {
  /** Must be the path's, where it is there. */
  @IsOptional()
  @IsUuidText()
  accountId?: string | null;

  @IsOptional()
  @IsText()
  name?: string | null;
}

/** The body of operation 7. */
export class TransferShape {
  @IsUuidText()
  originAccountId!: string;

  @IsUuidText()
  destinyAccountId!: string;

  @IsWireDate()
  date!: CalendarDate;

  @IsMoneyValue({ positive: true })
  value!: Money;
}

/** What operation 16 lists. */
export class AccountListingView {
  @ApiProperty(UUID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(DOUBLE)
  openBalance!: number;

  @ApiProperty(DATE_TIME)
  dateOfOpenBalance!: string;

  @ApiProperty()
  isVirtual!: boolean;
}

/** Empty for an account without a bank. */
export class BankView {
  @ApiProperty(UUID)
  id?: string;

  /** Three digits (COMPE). */
  @ApiProperty()
  code?: string;

  @ApiProperty()
  name?: string;

  @ApiProperty()
  color?: string;

  /** Ponte reads no bank's pages: always false. */
  @ApiProperty()
  scrapingEnabled?: boolean;

  @ApiProperty()
  bankNumber?: string;
}

/** What operation 15 lists. */
export class AccountBalanceView {
  @ApiProperty(UUID)
  accountId!: string;

  @ApiProperty()
  accountName!: string;

  @ApiProperty(DOUBLE)
  balance!: number;

  @ApiProperty({ type: BankView })
  bank!: BankView;
}
