import { Controller, Get, Post, Put } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { Answers } from '../operation';
import { FinanceConnectionAdministration, type ConnectionView } from './finance-connection';
import { ConnectionTest, FinanceConnectionBody, FinanceConnectionView } from './finance-connection.dto';

/** How a remote finance service is reached. */
@OperatorsApi('Finance service')
@Controller('admin/organizations/:org/finance')
export class FinanceConnectionController {
  constructor(private readonly administration: FinanceConnectionAdministration) {}

  @Put()
  @Answers(FinanceConnectionView, 'Connect the finance service, or change how it is reached')
  put(
    @CurrentActor() actor: Actor,
    @JsonBody(FinanceConnectionBody) body: FinanceConnectionBody,
  ): Promise<ConnectionView> {
    return this.administration.put(actor, body);
  }

  @Get()
  @Answers(FinanceConnectionView, 'Show how the finance service is reached, without the key')
  get(@CurrentOrganization() organization: Organization): Promise<ConnectionView> {
    return this.administration.get(organization);
  }

  @Post('test')
  @Answers(ConnectionTest, 'Try the connection: reads one account of the service')
  test(@CurrentOrganization() organization: Organization): Promise<ConnectionTest> {
    return this.administration.test(organization);
  }
}
