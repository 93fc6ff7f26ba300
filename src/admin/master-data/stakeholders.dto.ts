import {
  AddressShape,
  BankAccountInformationShape,
  CommunicationShape,
  CompanyInformationShape,
} from '../../finance/api/shapes/customers.dto';
import { ObjectOf, reply } from '../fields';

class StakeholderDocumentView extends ObjectOf({
  number: reply.text('Without punctuation, in capital letters').optional(),
  type: reply.text().optional(),
}) {}

/** A customer or supplier with everything that is stored of it; an object is empty where nothing is known. */
export class StakeholderRecordView extends ObjectOf({
  id: reply.uuid(),
  name: reply.text(),
  email: reply.text().nullable(),
  phone: reply.text().nullable(),
  document: reply.object(StakeholderDocumentView),
  communication: reply.object(CommunicationShape),
  address: reply.object(AddressShape),
  bankAccountInformation: reply.object(BankAccountInformationShape),
  companyInformation: reply.object(CompanyInformationShape),
  type: reply.oneOf(['customer', 'supplier']),
  createdAt: reply.instant(),
  deleted: reply.flag(),
}) {}
