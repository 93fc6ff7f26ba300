import { command, group, option, required, several } from '../definition';
import { REASON } from '../options';
import { lists, sends } from '../requests';

export const SUBSCRIPTIONS = group('subscriptions', 'who is notified of what needs a person', [
  command('list', 'List who is notified of what needs a person, by name', {
    examples: ['--org main'],
    run: lists('notifications/subscriptions', [
      ...['name', 'schedule', 'at', 'language', 'emails', 'endpoint', 'about', 'nextAt'],
    ]),
  }),
  command('create <name>', 'Notify people, or an endpoint, of what needs a person', {
    details:
      'The first message has what is open now. --about takes codes of attention, and attention, rules, sources, dead-letters, completeness.',
    examples: [
      'finance --org main --email ana@example.com --schedule daily --at 08:00 --language pt-BR',
      'pager --org main --endpoint erp --schedule immediate --about sources --about dead-letters',
    ],
    options: [
      several('--email <address>', 'who gets e-mails, 20 at most'),
      option('--endpoint <name>', 'the notification endpoint that gets signed messages'),
      required('--schedule <when>', 'immediate, hourly, or daily', ['immediate', 'hourly', 'daily']),
      option('--at <time>', "of daily: the time in the organization's zone, as 08:00"),
      option('--language <language>', 'of e-mails (default: en)', ['en', 'pt-BR']),
      several('--about <topic>', 'only this (default: everything)'),
      REASON,
    ],
    run: sends('POST', 'notifications/subscriptions', {
      body: (_session, { email: emails, ...options }: { email?: string[] }, name) => ({
        name,
        emails,
        ...options,
      }),
    }),
  }),
  command('remove <name>', 'Notify nobody of it any more; its messages that wait are given up', {
    examples: ['finance --org main'],
    run: sends('DELETE', 'notifications/subscriptions/<name>', { done: 'Removed.' }),
  }),
]);
