import { IsInteger32, IsNested, IsText, Optional } from '../../http/validation';
import { IsBankText, IsZipCodeText } from '../shapes/document-fields.dto';

/** CPF, CNPJ or, outside of Brazil, what the country uses. The type is not taken: the service sets it. */
export class DocumentShape {
  @Optional()
  @IsText({ max: 40 })
  number?: string | null;
}

export class CommunicationShape {
  @Optional()
  @IsText()
  contactName?: string | null;

  @Optional()
  @IsText()
  email?: string | null;

  @Optional()
  @IsText()
  phone?: string | null;

  @Optional()
  @IsText()
  cellPhone?: string | null;

  @Optional()
  @IsText()
  webSite?: string | null;
}

export class AddressShape {
  @Optional()
  @IsText()
  line1?: string | null;

  @Optional()
  @IsText()
  line2?: string | null;

  @Optional()
  @IsInteger32()
  number?: number | null;

  @Optional()
  @IsText()
  district?: string | null;

  @Optional()
  @IsText()
  city?: string | null;

  @Optional()
  @IsText()
  state?: string | null;

  /** Text, so that leading zeros stay. In Brazil eight digits, with or without the hyphen. */
  @Optional()
  @IsZipCodeText()
  zipCode?: string | null;

  @Optional()
  @IsText()
  country?: string | null;

  @Optional()
  @IsText({ pattern: { form: /^\d{7}$/, message: 'must be seven digits' } })
  ibgeCode?: string | null;
}

export class BankAccountInformationShape {
  @Optional()
  @IsBankText()
  bank?: string | null;

  @Optional()
  @IsText()
  agency?: string | null;

  @Optional()
  @IsText()
  accountNumber?: string | null;
}

export class CompanyInformationShape {
  @Optional()
  @IsText()
  companyName?: string | null;

  @Optional()
  @IsText()
  municipalInscription?: string | null;
}

/** What is known of a customer or a supplier, beside the name. */
export class StakeholderFieldsShape {
  @Optional()
  @IsText()
  email?: string | null;

  @Optional()
  @IsText()
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
