import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { Refusal, setReader } from '../../http/field';
import { isObject } from '../../kernel/json-object';
import type { LosslessJson } from '../../kernel/lossless-json';
import { SETTING_TYPES, type SettingType } from '../../rules/rule-settings';
import { ObjectOf, reply, request } from '../fields';

const VALUES: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'number' }] },
};

export class RuleSettingsBody extends ObjectOf({
  settings: request.other<ReadonlyMap<string, LosslessJson>>(
    setReader(valuesOf),
    ApiProperty({ ...VALUES, description: 'All that differ from their defaults, by name' }),
    IsDefined({ message: 'is required' }),
  ),
  reason: request.reason(),
}) {}

export class RuleSettingView extends ObjectOf({
  name: reply.text(),
  type: reply.other<SettingType>({ type: String, enum: [...SETTING_TYPES] }),
  of: reply.texts('What there is to choose from').nullable(),
  description: reply.text(),
  default: reply.text('What holds where nothing is set'),
  value: reply.text('What holds'),
  isSet: reply.flag('Whether the organization has set it'),
}) {}

export class RuleSettingsView extends ObjectOf({
  rule: reply.text(),
  version: reply.count('The version in force, which declares them'),
  settings: reply.listOf(RuleSettingView, 'In the order in which the rule declares them'),
  undeclared: reply.texts(
    'What is set and the version in force does not declare: it is kept, and has no effect',
  ),
}) {}

/** As sent: `__proto__` is a name like any other. */
function valuesOf(json: LosslessJson): ReadonlyMap<string, LosslessJson> | Refusal {
  return isObject(json)
    ? new Map(Object.entries(json))
    : new Refusal('object', 'must be an object of names and values');
}
