import { ApiProperty } from '@nestjs/swagger';
import { IsInteger32, IsNested, IsText, MayBeLeftOut, Optional } from '../../../http/validation';
import { OptionalText } from './optional-fields';
import { IsBankText, IsZipCodeText } from './document-fields.dto';
import { UUID } from './view.dto';

/** CPF, CNPJ or, outside of Brazil, what the country uses. The type is not taken: the service sets it. */
export class DocumentShape {
  @Optional()
  @IsText({ max: 40 })
  number?: string | null;
}

export class CommunicationShape {
  @OptionalText()
  contactName?: string | null;

  @OptionalText()
  email?: string | null;

  @OptionalText()
  phone?: string | null;

  @OptionalText()
  cellPhone?: string | null;

  @OptionalText()
  webSite?: string | null;
}

export class AddressShape {
  @OptionalText()
  line1?: string | null;

  @OptionalText()
  line2?: string | null;

  @Optional()
  @IsInteger32()
  number?: number | null;

  @OptionalText()
  district?: string | null;

  @OptionalText()
  city?: string | null;

  @OptionalText()
  state?: string | null;

  /** Text, so that leading zeros stay. In Brazil eight digits, with or without the hyphen. */
  @Optional()
  @IsZipCodeText()
  zipCode?: string | null;

  @OptionalText()
  country?: string | null;

  @Optional()
  @IsText({ pattern: { form: /^\d{7}$/, message: 'must be seven digits' } })
  ibgeCode?: string | null;
}

export class BankAccountInformationShape {
  @Optional()
  @IsBankText()
  bank?: string | null;

  @OptionalText()
  agency?: string | null;

  @OptionalText()
  accountNumber?: string | null;
}

export class CompanyInformationShape {
  @OptionalText()
  companyName?: string | null;

  @OptionalText()
  municipalInscription?: string | null;
}

/** What is known of a customer or a supplier, beside the name. */
export class StakeholderFieldsShape {
  @OptionalText()
  email?: string | null;

  @OptionalText()
  phone?: string | null;

  @Optional()
  @IsNested(() => DocumentShape)
  document?: DocumentShape | null;

  @Optional()
  @IsNested(() => CommunicationShape)
  communication?: CommunicationShape | null;

  @Optional()
  @IsNested(() => AddressShape)
  address?: AddressShape | null;

  @Optional()
  @IsNested(() => BankAccountInformationShape)
  bankAccountInformation?: BankAccountInformationShape | null;

  @Optional()
  @IsNested(() => CompanyInformationShape)
  companyInformation?: CompanyInformationShape | null;
}

/** The body of operation 1. */
export class CustomerShape extends StakeholderFieldsShape {
  @IsText()
  name!: string;
}

/** The body of a change: what is left out keeps its value, null clears. A part such as `address` is replaced whole. */
export class CustomerUpdateShape extends StakeholderFieldsShape {
  /** Cannot be cleared. */
  @MayBeLeftOut()
  @IsText()
  name?: string;
}

export class TypedDocumentView {
  @ApiProperty({ required: false })
  number?: string;

  /** `Cpf`, `Cnpj` or `Foreign`. */
  @ApiProperty({ required: false })
  type?: string;
}

/** A customer or a supplier as it is read. */
export class StakeholderView {
  @ApiProperty(UUID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ required: false })
  initialsName?: string;

  @ApiProperty({ required: false })
  email?: string;

  @ApiProperty({ required: false })
  phone?: string;

  @ApiProperty({ type: TypedDocumentView })
  document!: TypedDocumentView;

  @ApiProperty({ type: CommunicationShape })
  communication!: CommunicationShape;

  @ApiProperty({ type: AddressShape })
  address!: AddressShape;

  @ApiProperty({ type: BankAccountInformationShape })
  bankAccountInformation!: BankAccountInformationShape;

  @ApiProperty({ type: CompanyInformationShape })
  companyInformation!: CompanyInformationShape;

  @ApiProperty({ required: false })
  type?: string;
}

/** What reading customers answers with. */
export class CustomerView extends StakeholderView {}
