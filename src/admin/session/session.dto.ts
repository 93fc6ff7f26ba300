import { ObjectOf, reply } from '../fields';

export class SignedInOrganization extends ObjectOf({
  slug: reply.text('As in addresses'),
  name: reply.text(),
  timeZone: reply.text('IANA name: where its days begin'),
  currency: reply.text('ISO 4217'),
}) {}

export class SessionView extends ObjectOf({
  csrfToken: reply.text('To be sent as X-CSRF-Token with every request that changes something'),
  expiresAt: reply.instant('When somebody has to sign in again'),
  isOperator: reply.flag("Whether it is the operators' key, which sees every organization"),
  keyId: reply.uuid('Of the key that the session stands for, as the audit log has it'),
  organizations: reply.listOf(
    SignedInOrganization,
    'Those that it may work for, in the order of their slugs; the first 500',
  ),
}) {}
