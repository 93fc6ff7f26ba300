import { command, group, required } from '../definition';
import { ID, PAGING } from '../options';
import { lists, sends } from '../requests';

interface NewKey {
  name: string;
  scopes: string;
}

export const KEYS = group('keys', 'API keys of an organization', [
  command('list', 'List API keys, revoked ones included, newest first', {
    examples: ['--org main'],
    options: PAGING,
    run: lists('keys', ['id', 'createdAt', 'revokedAt', 'scopes', 'name']),
  }),
  command('create', 'Make an API key; it is printed this once and never again', {
    examples: ['--org main --name erp --scopes feed:read,finance:read'],
    options: [
      required('--name <text>', 'whose it is'),
      required('--scopes <list>', 'of finance:read, finance:write, feed:read and admin, with commas'),
    ],
    run: sends('POST', 'keys', {
      body: (_session, { name, scopes }: NewKey) => ({
        name,
        scopes: scopes.split(',').map((scope) => scope.trim()),
      }),
      done: 'Keep the key now: Ponte cannot show it again.',
    }),
  }),
  command('revoke <id>', 'Revoke an API key, at once and for ever', {
    examples: [`${ID} --org main`],
    run: sends('DELETE', 'keys/<id>', { done: 'Revoked.' }),
  }),
]);
