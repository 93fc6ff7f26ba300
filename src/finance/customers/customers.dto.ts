import { Digits, Int32, Nested, Text } from '../shapes/fields';

/** CPF, CNPJ or, outside of Brazil, what the country uses. The type is not taken: the service sets it. */
export class DocumentShape {
  @Text({ maxLength: 40 })
  number?: string | null;
}

export class CommunicationShape {
  @Text()
  contactName?: string | null;

  @Text()
  email?: string | null;

  @Text()
  phone?: string | null;

  @Text()
  cellPhone?: string | null;

  @Text()
  webSite?: string | null;
}

export class AddressShape {
  @Text()
  line1?: string | null;

  @Text()
  line2?: string | null;

  @Int32()
  number?: number | null;

  @Text()
  district?: string | null;

  @Text()
  city?: string | null;

  @Text()
  state?: string | null;

  /** Text, so that leading zeros stay. */
  @Text()
  zipCode?: string | null;

  @Text()
  country?: string | null;

  @Digits(7)
  ibgeCode?: string | null;
}

export class BankAccountInformationShape {
  @Text()
  bank?: string | null;

  @Text()
  agency?: string | null;

  @Text()
  accountNumber?: string | null;
}

export class CompanyInformationShape {
  @Text()
  companyName?: string | null;

  @Text()
  municipalInscription?: string | null;
}

/** The body of operation 1. */
export class CustomerShape {
  @Text({ required: true })
  name!: string;

  @Text()
  email?: string | null;

  @Text()
  phone?: string | null;

  @Nested(() => DocumentShape)
  document?: DocumentShape | null;

  @Nested(() => CommunicationShape)
  communication?: CommunicationShape | null;

  @Nested(() => AddressShape)
  address?: AddressShape | null;

  @Nested(() => BankAccountInformationShape)
  bankAccountInformation?: BankAccountInformationShape | null;

  @Nested(() => CompanyInformationShape)
  companyInformation?: CompanyInformationShape | null;
}
