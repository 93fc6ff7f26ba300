import { ObjectOf, reply } from './fields';
import { PageOf } from './lists.dto';

export class AuditView extends ObjectOf({
  id: reply.uuid(),
  at: reply.instant(),
  actor: reply.text(
    'Identifier of the API key that acted; `configuration`: the configuration folder; `ponte`: nobody asked',
  ),
  action: reply.text('What was done, for example `key.create`'),
  subject: reply.text('What it was done to: an identifier or a name'),
  before: reply.json().nullable(),
  after: reply.json().nullable(),
  reason: reply.text().nullable(),
}) {}

export class AuditPage extends PageOf(AuditView) {}
