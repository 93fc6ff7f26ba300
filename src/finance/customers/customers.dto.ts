import { IsOptional } from 'class-validator';
import { IsInteger32, IsNested, IsText } from '../../http/validation';

/** CPF, CNPJ or, outside of Brazil, what the country uses. The type is not taken: the service sets it. */
export class DocumentShape {
  @IsOptional()
  @IsText({ max: 40 })
  number?: string | null;
}

export class CommunicationShape {
  @IsOptional()
  @IsText()
  contactName?: string | null;

  @IsOptional()
  @IsText()
  email?: string | null;

  @IsOptional()
  @IsText()
  phone?: string | null;

  @IsOptional()
  @IsText()
  cellPhone?: string | null;

  @IsOptional()
  @IsText()
  webSite?: string | null;
}

export class AddressShape {
  @IsOptional()
  @IsText()
  line1?: string | null;

  @IsOptional()
  @IsText()
  line2?: string | null;

  @IsOptional()
  @IsInteger32()
  number?: number | null;

  @IsOptional()
  @IsText()
  district?: string | null;

  @IsOptional()
  @IsText()
  city?: string | null;

  @IsOptional()
  @IsText()
  state?: string | null;

  /** Text, so that leading zeros stay. */
  @IsOptional()
  @IsText()
  zipCode?: string | null;

  @IsOptional()
  @IsText()
  country?: string | null;

  @IsOptional()
  @IsText({ pattern: { form: /^\d{7}$/, message: 'must be seven digits' } })
  ibgeCode?: string | null;
}

export class BankAccountInformationShape {
  @IsOptional()
  @IsText()
  bank?: string | null;

  @IsOptional()
  @IsText()
  agency?: string | null;

  @IsOptional()
  @IsText()
  accountNumber?: string | null;
}

export class CompanyInformationShape {
  @IsOptional()
  @IsText()
  companyName?: string | null;

  @IsOptional()
  @IsText()
  municipalInscription?: string | null;
}

/** The body of operation 1. */
export class CustomerShape {
  @IsText()
  name!: string;

  @IsOptional()
  @IsText()
  email?: string | null;

  @IsOptional()
  @IsText()
  phone?: string | null;

  @IsOptional()
  @IsNested(() => DocumentShape)
  document?: DocumentShape | null;

  @IsOptional()
  @IsNested(() => CommunicationShape)
  communication?: CommunicationShape | null;

  @IsOptional()
  @IsNested(() => AddressShape)
  address?: AddressShape | null;

  @IsOptional()
  @IsNested(() => BankAccountInformationShape)
  bankAccountInformation?: BankAccountInformationShape | null;

  @IsOptional()
  @IsNested(() => CompanyInformationShape)
  companyInformation?: CompanyInformationShape | null;
}
