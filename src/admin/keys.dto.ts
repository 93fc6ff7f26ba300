import { SCOPES } from '../organizations/scope';
import { ObjectOf, reply, request } from './fields';

export class NewKeyBody extends ObjectOf({
  name: request.text({ max: 100 }),
  scopes: request.words(SCOPES),
}) {}

/** A key that was just made. */
export class MadeKeyView extends ObjectOf({
  id: reply.uuid(),
  key: reply.text('The key itself, which nothing shows again'),
}) {}

/** A key as it is stored: without the key itself. */
export class KeyView extends ObjectOf({
  id: reply.uuid(),
  name: reply.text(),
  scopes: reply.texts(`Among ${SCOPES.join(', ')}`),
  createdAt: reply.instant(),
  revokedAt: reply.instant('null: it is live').nullable(),
}) {}
