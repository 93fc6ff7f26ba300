import { command, group, required } from '../definition';
import { REASON, type ReasonOptions } from '../options';
import { lists, sends } from '../requests';
import { secretOf, secretOptions, type SecretOptions } from '../secrets';
import type { Session } from '../session';

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
    run: sends('POST', 'notifications/endpoints', { body: newEndpoint }),
  }),
  command('remove <name>', 'Send no more messages to an address; those that wait for it are refused', {
    examples: ['erp --org main'],
    run: sends('DELETE', 'notifications/endpoints/<name>', { done: 'Removed.' }),
  }),
  command('secret-add <name>', 'Sign with another secret as well, until the receiver knows it', {
    details: MADE,
    examples: ['erp --org main', 'erp --org main --secret-file ./new-secret'],
    options: [...secretOptions('the new secret'), REASON],
    run: sends('POST', 'notifications/endpoints/<name>/secrets', { body: newSecret }),
  }),
  command('secret-retire <name>', 'Sign with the newest secret alone', {
    examples: ['erp --org main'],
    run: sends('POST', 'notifications/endpoints/<name>/secrets/retire'),
  }),
]);

async function newEndpoint(session: Session, options: NewEndpoint, name: string): Promise<object> {
  return { name, url: options.address, ...(await newSecret(session, options)) };
}

async function newSecret(session: Session, options: SecretOptions & ReasonOptions): Promise<object> {
  return { secret: await secretOf(session, options), reason: options.reason };
}
