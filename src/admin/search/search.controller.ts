import { Controller, Post } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { Answers } from '../operation';
import { Search } from './search';
import { SearchBody, SearchView } from './search.dto';

/** Finding records by what a person has at hand. A POST, so that documents and addresses are in no URL. */
@OperatorsApi('Overview')
@Controller('admin/organizations/:org/search')
export class SearchController {
  constructor(private readonly search: Search) {}

  @Post()
  @Answers(
    SearchView,
    'Find orders, customers, deliveries and schedules by a number, key, document, e-mail address or identifier',
    "By the identifier or number of an order, a business key, a CPF or CNPJ with or without punctuation, a customer's e-mail address, or the identifier of a delivery, customer, schedule or receipt; each whole, not in part. Nothing is changed, and the audit log has nothing of it.",
  )
  find(
    @CurrentOrganization() organization: Organization,
    @JsonBody(SearchBody, { refuseUnknown: true }) { text }: SearchBody,
  ): Promise<SearchView> {
    return this.search.find(organization, text);
  }
}
