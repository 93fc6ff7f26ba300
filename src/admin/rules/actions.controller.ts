import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { OperatorsApi } from '../../http/api';
import { Problem } from '../../kernel/problem';
import { describeActions } from '../../rules/actions/registry';
import { ruleNames } from '../../rules/rule-names';
import { type JsonSchema, ruleSchema } from '../../rules/rule-schema';
import { Answers } from '../operation';
import { ActionList, ActionView, RuleNamesView } from './actions.dto';

/** What a rule looks like. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/rule-schema')
export class RuleSchemaController {
  @Get()
  @ApiOperation({ summary: 'Show the JSON Schema of rules, for editors' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  show(): JsonSchema {
    return ruleSchema();
  }
}

/** What expressions of rules can say. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/rule-names')
export class RuleNamesController {
  @Get()
  @Answers(RuleNamesView, 'Show the names, types and functions of expressions, for editors')
  show(): RuleNamesView {
    return ruleNames();
  }
}

/** What steps of rules can do. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/actions')
export class ActionsController {
  @Get()
  @Answers(ActionList, 'List every action with its inputs and outputs')
  list(): ActionList {
    return { items: describeActions(), after: null };
  }

  @Get(':name')
  @ApiParam({ name: 'name', example: 'customer.ensure' })
  @Answers(ActionView, 'Show one action with its inputs and outputs')
  show(@Param('name') name: string): ActionView {
    const action = describeActions().find((each) => each.name === name);
    if (!action) throw new Problem('not-found', 'There is no such action');
    return action;
  }
}
