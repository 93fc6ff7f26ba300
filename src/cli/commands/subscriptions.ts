import { command, group, option, required, several } from '../definition';
import { REASON, type ReasonOptions } from '../options';
import { lists, sends } from '../requests';
import type { Session } from '../session';

const PATH = ['notifications', 'subscriptions'] as const;

interface NewSubscription extends ReasonOptions {
  email?: string[];
  endpoint?: string;
  language?: string;
  schedule: string;
  at?: string;
  about?: string[];
}

export const SUBSCRIPTIONS = group('subscriptions', 'who is told of what needs a person', [
  command('list', 'List who is told of what needs a person, by name', {
    examples: ['--org main'],
    run: lists('notifications/subscriptions', [
      ...['name', 'schedule', 'at', 'language', 'emails', 'endpoint', 'about', 'nextAt'],
    ]),
  }),
  command('create <name>', 'Tell people, or an endpoint, of what needs a person', {
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
    run: create,
  }),
  command('remove <name>', 'Tell nobody of it any more; its messages that wait are given up', {
    examples: ['finance --org main'],
    run: sends('DELETE', 'notifications/subscriptions/<name>', { done: 'Removed.' }),
  }),
]);

async function create(session: Session, options: NewSubscription, name: string): Promise<void> {
  const { email: emails, endpoint, language, schedule, at, about, reason } = options;
  const body = { name, emails, endpoint, language, schedule, at, about, reason };
  await session.show(await session.send('POST', session.within(...PATH), body));
}
