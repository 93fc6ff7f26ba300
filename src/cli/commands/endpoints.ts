import { command, group, required } from '../definition';
import { REASON, type ReasonOptions } from '../options';
import { lists, sends } from '../requests';
import { secretOf, secretOptions, type SecretOptions } from '../secrets';
import type { Session } from '../session';

const PATH = ['notifications', 'endpoints'] as const;
const MADE = 'Without an option that names a secret, one is made, and printed this once and never again.';

interface NewEndpoint extends SecretOptions, ReasonOptions {
  address: string;
}

export const ENDPOINTS = group('endpoints', 'addresses that rules may send messages to', [
  command('list', 'List the addresses that rules may send messages to, by name', {
    examples: ['--org main'],
    run: lists('notifications/endpoints', ['name', 'secretCount', 'createdAt', 'url']),
  }),
  command('create <name>', 'Let rules send messages to an address', {
    details: MADE,
    examples: ['erp --org main --address https://erp.example.com/ponte'],
    options: [
      required('--address <url>', 'where messages go, https'),
      ...secretOptions('the secret'),
      REASON,
    ],
    run: create,
  }),
  command('remove <name>', 'Send no more messages to an address; those that wait for it are refused', {
    examples: ['erp --org main'],
    run: sends('DELETE', 'notifications/endpoints/<name>', { done: 'Removed.' }),
  }),
  command('secret-add <name>', 'Sign with another secret as well, until the receiver knows it', {
    details: MADE,
    examples: ['erp --org main', 'erp --org main --secret-file ./new-secret'],
    options: [...secretOptions('the new secret'), REASON],
    run: addSecret,
  }),
  command('secret-retire <name>', 'Sign with the newest secret alone', {
    examples: ['erp --org main'],
    run: sends('POST', 'notifications/endpoints/<name>/secrets/retire'),
  }),
]);

async function create(session: Session, options: NewEndpoint, name: string): Promise<void> {
  const { address: url, reason } = options;
  const body = { name, url, secret: await secretOf(session, options), reason };
  await session.show(await session.send('POST', session.within(...PATH), body));
}

async function addSecret(
  session: Session,
  options: SecretOptions & ReasonOptions,
  name: string,
): Promise<void> {
  const body = { secret: await secretOf(session, options), reason: options.reason };
  await session.show(await session.send('POST', session.within(...PATH, name, 'secrets'), body));
}
