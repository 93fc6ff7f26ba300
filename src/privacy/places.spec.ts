import { openTestDatabase } from '../../test/support/database';
import { PLACES } from './places.sql';

/** Columns that no walk goes through, by the reason. A new column is a place of PLACES, or stands here. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'overwritten or removed before the walk': [
    ...['stakeholder.details', 'stakeholder.document', 'stakeholder.document_type', 'stakeholder.email'],
    ...['stakeholder.name', 'stakeholder.phone', 'delivery_body.body', 'delivery_body.fetched', 'effect.key'],
    ...['followed_field.digest', 'followed_field.field'],
  ],
  'what the erasure itself needs, sealed until it is done': ['erasure.person', 'erasure.place'],
  'a secret of the organization, sealed': ['organization.document_key'],
  'keys of orders, payments, accounts at shops and requests, which stay so that nothing is done twice': [
    ...['delivery.business_key', 'delivery.dedupe_key', 'delivery.lane', 'delivery.waits_for'],
    ...['open_delivery.lane', 'open_delivery.waits_for', 'entity_delivery.business_key', 'run.business_key'],
    ...['idempotency_record.key', 'retention_progress.place', 'feed_stored_change.subject'],
    ...['money_facts.key', 'money_facts.payments', 'money_facts.refunds', 'money_facts.fees'],
    ...['money_facts.gateways', 'money_facts.number', 'money_facts.order_key'],
  ],
  'identifiers and digests of whole records': [
    ...[
      'begun_batch.delivery_ids',
      'effect.output',
      'erasure.records',
      'erasure.digest',
      'api_key.hash',
      'operator_session.token_hash',
    ],
    ...[
      'idempotency_record.request',
      'watch_record.digest',
      'watch_staged.digest',
      'lookup_table.file_digest',
    ],
    ...[
      'organization.file_digest',
      'organization.profile_digest',
      'rule.file_digest',
      'rule.settings_digest',
    ],
    ...['source.file_digest', 'delivery.traceparent', 'feed_cursor.cursor', 'watch_turn.next_token'],
  ],
  'what operators set up, and the names of their own keys, colleagues and connectors': [
    ...['account.agency', 'account.code', 'account.number', 'account.type', 'api_key.name', 'api_key.scopes'],
    ...['bank.code', 'bank.color', 'bank.name', 'category.name', 'category.reference_code', 'category.type'],
    ...[
      'category_group.name',
      'category_group.reference_code',
      'cost_center.external_code',
      'feed_cursor.name',
    ],
    ...['finance_connection.api_key', 'finance_connection.key_address', 'finance_connection.settings'],
    ...[
      'lookup_table.entries',
      'lookup_table.name',
      'notification_endpoint.name',
      'notification_endpoint.url',
    ],
    ...[
      'notification_endpoint.secrets',
      'notification_subscription.about',
      'notification_subscription.emails',
    ],
    ...['notification_subscription.endpoint', 'notification_subscription.language'],
    ...['notification_subscription.name', 'organization.name', 'organization.profile', 'organization.slug'],
    ...[
      'organization.retention',
      'organization.time_zone',
      'rule.name',
      'rule.settings',
      'rule_version.document',
    ],
    ...['rule_version.event', 'rule_version.name', 'source.credentials', 'source.provider', 'source.secrets'],
    ...[
      'source.settings',
      'source.slug',
      'source_access.granted',
      'source_hooks.known',
      'watch_turn.service',
    ],
    ...['approval.decided_by', 'audit_entry.actor', 'erasure.requested_by'],
  ],
  'words of Ponte itself': [
    ...['approval.rule', 'approval.step', 'attention.code', 'attention.currency', 'audit_entry.action'],
    ...[
      'completeness_check.failure',
      'deferred_effect.operation',
      'deferred_effect.rule',
      'deferred_effect.step',
    ],
    ...['delivery.events', 'delivery.topic', 'dropped_body_month.month', 'effect.operation', 'effect.step'],
    ...['entry.paying_type', 'erasure.counts', 'erasure.step', 'feed_stored_change.type'],
    ...['finance_attempt.outcome', 'finance_call.operation', 'money_facts.kind', 'notification_told.kind'],
    ...['notification_told.version', 'open_delivery.topic', 'retention_progress.kind', 'run.event_type'],
    ...['run.rule', 'source.refused_reason', 'source_comparison.failure', 'source_failure.failed_at'],
    ...['source_failure.reason', 'source_failure.topic', 'source_hooks.problem', 'source_hooks.raised'],
    ...['source_switch_off.state', 'watch_record.kind', 'watch_staged.kind', 'watch_turn.kind'],
    '_prisma_migrations.logs',
  ],
};

it('an erasure knows every column that may hold a text', async () => {
  const database = await openTestDatabase();
  const columns = await database.prisma.$queryRaw<{ name: string }[]>`
    select c.table_name || '.' || c.column_name as name
    from information_schema.columns c
    join pg_class p on p.relname = c.table_name and p.relnamespace = current_schema()::regnamespace
    where c.table_schema = current_schema() and p.relkind in ('r', 'p') and not p.relispartition
      and c.data_type in ('text', 'json', 'jsonb', 'bytea', 'ARRAY')`;
  await database.close();
  const walked = PLACES.flatMap(({ table, texts = [], json = {} }) =>
    [...texts, ...Object.keys(json)].map((column) => `${table}.${column}`),
  );
  expect([...walked, ...Object.values(OTHERS).flat()].sort()).toEqual(columns.map(({ name }) => name).sort());
});
