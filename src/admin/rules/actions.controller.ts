import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { OperatorsApi } from '../../http/api';
import { Problem } from '../../kernel/problem';
import { describeActions } from '../../rules/actions/registry';
import { ActionList, ActionView } from './actions.dto';

/** What steps of rules can do. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/actions')
export class ActionsController {
  @Get()
  @ApiOperation({ summary: 'List every action with its inputs and outputs' })
  @ApiOkResponse({ type: ActionList })
  list(): ActionList {
    return { items: describeActions(), after: null };
  }

  @Get(':name')
  @ApiParam({ name: 'name', example: 'customer.ensure' })
  @ApiOperation({ summary: 'Show one action with its inputs and outputs' })
  @ApiOkResponse({ type: ActionView })
  show(@Param('name') name: string): ActionView {
    const action = describeActions().find((each) => each.name === name);
    if (!action) throw new Problem('not-found', 'There is no such action');
    return action;
  }
}
