import { ApiProperty } from '@nestjs/swagger';
import {
  IsInteger32,
  IsMoneyValue,
  IsNested,
  IsPlainNumber,
  IsText,
  IsUuidText,
  IsWireDate,
  MayBeLeftOut,
  Optional,
} from '../../../http/validation';
import { OptionalText, OptionalUuid, OptionalFlag } from './optional-fields';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import { IsBankText, IsTaxIdText, OfPath } from './document-fields.dto';
import { CEP } from './brazil';
import { DATE_TIME, DOUBLE, UUID } from './view.dto';

export class VirtualAddressShape {
  @OptionalText()
  address?: string | null;

  @OptionalText()
  city?: string | null;

  @OptionalText()
  state?: string | null;

  @Optional()
  @IsText({ pattern: CEP })
  cep?: string | null;
}

export class AccountToTransferShape {
  @OptionalText()
  type?: string | null;

  @Optional()
  @IsBankText()
  bank?: string | null;

  @OptionalText()
  agency?: string | null;

  @OptionalText()
  number?: string | null;

  @OptionalUuid()
  accountWithDrawId?: string | null;
}

export class BankSlipShape {
  @OptionalFlag()
  enableFines?: boolean | null;

  @OptionalFlag()
  enableInterestPerDay?: boolean | null;

  /** The law allows a fine of 2 percent. */
  @Optional()
  @IsPlainNumber({ min: 0, max: 2 })
  latePaymentFinePercent?: number | null;
}

export class TaxShape {
  @OptionalUuid()
  stakeholderId?: string | null;

  @OptionalUuid()
  categoryId?: string | null;
}

export class VirtualAccountConfigurationShape {
  @Optional()
  @IsNested(() => BankSlipShape)
  bankSlip?: BankSlipShape | null;

  @Optional()
  @IsNested(() => TaxShape)
  tax?: TaxShape | null;
}

export class VirtualAccountDetailsShape {
  @OptionalText()
  exibitionName?: string | null;

  @Optional()
  @IsTaxIdText()
  cpfCnpj?: string | null;

  @OptionalText()
  name?: string | null;

  @OptionalText()
  businessDescription?: string | null;

  @OptionalText()
  responsibleName?: string | null;

  @Optional()
  @IsTaxIdText('Cpf')
  responsibleCpf?: string | null;

  @OptionalText()
  phone?: string | null;

  @Optional()
  @IsNested(() => VirtualAddressShape)
  address?: VirtualAddressShape | null;

  @Optional()
  @IsNested(() => AccountToTransferShape)
  accountToTransfer?: AccountToTransferShape | null;

  @Optional()
  @IsNested(() => VirtualAccountConfigurationShape)
  configuration?: VirtualAccountConfigurationShape | null;
}

/** What operations 9 and 10 have in common. */
export class AccountFieldsShape {
  @OptionalUuid()
  bankId?: string | null;

  /** May be negative. Absent on creation: zero. */
  @Optional()
  @IsMoneyValue()
  openBalance?: Money | null;

  @OptionalText()
  bankAgency?: string | null;

  @OptionalText()
  bankAccount?: string | null;

  @Optional()
  @IsInteger32()
  bankAccountVerificationNumber?: number | null;

  @OptionalText()
  type?: string | null;

  /** Present: a virtual account. */
  @Optional()
  @IsNested(() => VirtualAccountDetailsShape)
  virtualAccountDetails?: VirtualAccountDetailsShape | null;
}

/** The body of operation 10. */
export class AccountShape extends AccountFieldsShape {
  @IsText()
  name!: string;

  /** Absent: today. */
  @Optional()
  @IsWireDate()
  dateOfOpenBalance?: CalendarDate | null;
}

/** The body of operation 9: what is left out keeps its value. What may not be null cannot be cleared. */
export class AccountUpdateShape extends AccountFieldsShape {
  @Optional()
  @OfPath()
  @IsUuidText()
  accountId?: string | null;

  @MayBeLeftOut()
  @IsText()
  name?: string;

  @MayBeLeftOut()
  @IsWireDate()
  dateOfOpenBalance?: CalendarDate;
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

/** A transfer as it is listed. */
export class TransferEntryView {
  @ApiProperty(UUID)
  entryId!: string;

  /** The account that the money left. */
  @ApiProperty(UUID)
  originAccountId!: string;

  /** The account that it reached. */
  @ApiProperty(UUID)
  destinyAccountId!: string;

  @ApiProperty(DATE_TIME)
  date!: string;

  @ApiProperty(DOUBLE)
  value!: number;

  /** Empty where there is none: operation 7 takes none. */
  @ApiProperty()
  description!: string;

  @ApiProperty({ required: false })
  reference?: string;
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
  @ApiProperty({ ...UUID, required: false })
  id?: string;

  /** Three digits (COMPE). */
  @ApiProperty({ required: false })
  code?: string;

  @ApiProperty({ required: false })
  name?: string;

  @ApiProperty({ required: false })
  color?: string;

  /** Ponte reads no bank's pages: always false. */
  @ApiProperty({ required: false })
  scrapingEnabled?: boolean;

  @ApiProperty({ required: false })
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
