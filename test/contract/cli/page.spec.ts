import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { EXIT } from '../../../src/cli/failure';
import { buildProgram } from '../../../src/cli/program';
import { Terminal } from '../../../src/cli/terminal';
import { ponte } from '../../support/command-line';
import { RecordingServer } from '../../support/recording-server';

const PAGE = readFileSync(join(__dirname, '../../../docs/cli.md'), 'utf8');

/** As the page writes a command: its name and its arguments. */
function commandsOf(command: Command, before = ''): [string, string][] {
  return command.commands.flatMap((child) => {
    const name = `${before} ${child.name()}`.trim();
    if (child.commands.length > 0) return commandsOf(child, name);
    const args = child.registeredArguments.map((arg) =>
      arg.required ? ` <${arg.name()}>` : ` [${arg.name()}]`,
    );
    return [[name + args.join(''), child.summary()]];
  });
}

describe('docs/cli.md', () => {
  it('lists every command with what it does, and no other', () => {
    const list = PAGE.slice(PAGE.indexOf('## Every command'));
    const rows = [...list.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)].map(([, name, does]) => [name, does]);
    expect(rows).toEqual(commandsOf(buildProgram(new Terminal(process))));
  });

  it('explains every exit code', () => {
    const codes = [...PAGE.matchAll(/^\| (\d) +\| /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });

  it('shows commands that can be typed as they stand', async () => {
    const server = await RecordingServer.start();
    const shown = [...PAGE.matchAll(/^ponte .*$/gm)].map(([line]) => line);
    expect(shown.length).toBeGreaterThan(9);
    for (const line of shown) {
      server.answer({ status: 418, body: { type: 'urn:ponte:problem:teapot', title: 'reached' } });
      const words = line.replace(/ \| .*$/, '').matchAll(/"([^"]*)"|(\S+)/g);
      const [, ...args] = [...words].map(([, quoted, word = '']) => quoted ?? word);
      const env = {
        PONTE_URL: server.url,
        PONTE_KEY: 'k',
        PONTE_ORG: 'main',
        NEW_SECRET: 's',
        NUVEMSHOP_TOKEN: 's',
        SHOPIFY_WEBHOOK_SECRET: 's',
      };
      expect([line, await ponte(args, { env })]).toEqual([
        line,
        { code: 1, stdout: '', stderr: 'reached (teapot, 418)\n' },
      ]);
    }
    await server.stop();
  });
});
