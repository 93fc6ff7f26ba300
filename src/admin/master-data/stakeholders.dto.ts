import { ApiProperty } from '@nestjs/swagger';
import {
  AddressShape,
  BankAccountInformationShape,
  CommunicationShape,
  CompanyInformationShape,
} from '../../finance/api/shapes/customers.dto';

class StakeholderDocumentView {
  @ApiProperty({ required: false, description: 'Without punctuation, in capital letters' })
  number?: string;

  @ApiProperty({ required: false })
  type?: string;
}

/** A customer or supplier with everything that is stored of it; an object is empty where nothing is known. */
export class StakeholderRecordView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;

  @ApiProperty({ type: String, nullable: true })
  phone!: string | null;

  @ApiProperty()
  document!: StakeholderDocumentView;

  @ApiProperty()
  communication!: CommunicationShape;

  @ApiProperty()
  address!: AddressShape;

  @ApiProperty()
  bankAccountInformation!: BankAccountInformationShape;

  @ApiProperty()
  companyInformation!: CompanyInformationShape;

  @ApiProperty({ enum: ['customer', 'supplier'] })
  type!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty()
  deleted!: boolean;
}
