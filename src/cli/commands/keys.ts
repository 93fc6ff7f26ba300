import type { Command } from 'commander';
import { CommandGroup, required } from '../definition';
import { list, type PageOptions } from '../listing';
import { PAGING } from '../options';
import type { Terminal } from '../terminal';

interface NewKey {
  name: string;
  scopes: string;
}

export function keyCommands(program: Command, terminal: Terminal): void {
  new CommandGroup(program, terminal, 'keys', 'API keys of an organization')
    .add<PageOptions>({
      usage: 'list',
      summary: 'List API keys, revoked ones included, newest first',
      examples: ['ponte keys list --org main'],
      options: PAGING,
      run: (session, options) =>
        list(
          session,
          session.within('keys'),
          ['id', 'createdAt', 'revokedAt', 'scopes', 'name'],
          {},
          options,
        ),
    })
    .add<NewKey>({
      usage: 'create',
      summary: 'Make an API key; it is printed this once and never again',
      examples: ['ponte keys create --org main --name erp --scopes feed:read,finance:read'],
      options: [
        required('--name <text>', 'whose it is'),
        required('--scopes <list>', 'of finance:read, finance:write, feed:read and admin, with commas'),
      ],
      run: async (session, { name, scopes }) => {
        const words = scopes.split(',').map((scope) => scope.trim());
        await session.show(await session.send('POST', session.within('keys'), { name, scopes: words }));
        await session.terminal.say('Keep the key now: Ponte cannot show it again.');
      },
    })
    .add({
      usage: 'revoke <id>',
      summary: 'Revoke an API key, at once and for ever',
      examples: ['ponte keys revoke 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61 --org main'],
      run: async (session, _options, id) =>
        session.done(await session.send('DELETE', session.within('keys', id)), 'Revoked.'),
    });
}
