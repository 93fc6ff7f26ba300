import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { ObjectOf, reply } from '../fields';
import { WholeListOf } from '../lists.dto';

const ANY_SETTING = { type: Object, oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };

/** A setting of a source, as its provider describes it. */
export class SettingView extends ObjectOf({
  type: reply.oneOf(['string', 'number', 'boolean']),
  description: reply.text(),
  required: reply.flag(),
  default: reply
    .other<string | number | boolean>(ANY_SETTING, 'What holds when it is not set; absent: nothing')
    .optional(),
  format: reply.oneOf(['time-zone', 'web-address'], 'What the text has to be besides').optional(),
}) {}

/** Something that the provider's API is asked with. */
export class CredentialView extends ObjectOf({ description: reply.text() }) {}

/** A kind of shop or system whose webhooks Ponte understands. */
@ApiExtraModels(SettingView, CredentialView)
export class ProviderView extends ObjectOf({
  id: reply.text(),
  title: reply.text(),
  settings: reply.other<Record<string, SettingView>>({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(SettingView) },
  }),
  credentials: reply.other<Record<string, CredentialView>>(
    { type: 'object', additionalProperties: { $ref: getSchemaPath(CredentialView) } },
    'What its API is asked with, all of them or none. Where webhooks only name what happened, they are needed. Empty: its API is not asked',
  ),
  registersWebhooks: reply.flag('Whether Ponte registers webhooks there, with these credentials'),
  setUp: reply.texts('What a person has to do, in order'),
}) {}

export class ProviderList extends WholeListOf(ProviderView) {}
