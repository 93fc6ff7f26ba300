import { Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { OperatorsApi } from '../../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { FinanceConnectionAdministration, type ConnectionView } from './finance-connection';
import { ConnectionTest, FinanceConnectionBody, FinanceConnectionView } from './finance-connection.dto';

/** How a remote finance service is reached. */
@OperatorsApi('Finance service')
@Controller('admin/organizations/:org/finance')
export class FinanceConnectionController {
  constructor(private readonly administration: FinanceConnectionAdministration) {}

  @Put()
  @ApiOperation({ summary: 'Connect the finance service, or change how it is reached' })
  @ApiOkResponse({ type: FinanceConnectionView })
  put(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(FinanceConnectionBody) body: FinanceConnectionBody,
  ): Promise<ConnectionView> {
    return this.administration.put(organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'Show how the finance service is reached, without the key' })
  @ApiOkResponse({ type: FinanceConnectionView })
  get(@CurrentOrganization() organization: Organization): Promise<ConnectionView> {
    return this.administration.get(organization);
  }

  @Post('test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Try the connection: reads one account of the service' })
  @ApiOkResponse({ type: ConnectionTest })
  test(@CurrentOrganization() organization: Organization): Promise<ConnectionTest> {
    return this.administration.test(organization);
  }
}
