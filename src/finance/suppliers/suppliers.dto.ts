import { ApiProperty } from '@nestjs/swagger';
import {
  AddressShape,
  BankAccountInformationShape,
  CommunicationShape,
  CompanyInformationShape,
} from '../customers/customers.dto';
import { UUID } from '../shapes/view.dto';

export class TypedDocumentView {
  @ApiProperty({ required: false })
  number?: string;

  /** `Cpf`, `Cnpj` or `Foreign`. */
  @ApiProperty({ required: false })
  type?: string;
}

/** What operation 19 lists. */
export class SupplierView {
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
