import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { buildProgram } from '../../../src/cli/program';
import { Terminal } from '../../../src/cli/terminal';
import { ponte, type Ran, type RunOptions } from '../../support/command-line';
import { RecordingServer } from '../../support/recording-server';
import { EVENT, ROWS, RULE, SECRET } from './command-rows';

const KEY = 'operators-key-for-the-command-line';

let server: RecordingServer;
const folder = mkdtempSync(join(tmpdir(), 'ponte-cli-'));

beforeAll(async () => {
  server = await RecordingServer.start();
  file('rule.yaml', RULE);
  file('rule.json', '{"when":{"event":"order.paid"},"rule":"json-rule"}');
  file('event.json', JSON.stringify(EVENT));
  file('table.yaml', "table: category\nentries:\n  online-sales: '1.1.01'\n");
  file('orders.ndjson', '{"id":1}\n{"id":2}\n\n{"id":3}\n');
  file('secret', `${SECRET}\n`);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

/** `@name` stands for a file of this test. */
function run(line: string, options: RunOptions = {}): Promise<Ran> {
  const args = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c = '']) => a ?? b ?? c);
  const env = {
    PONTE_URL: server.url,
    PONTE_KEY: KEY,
    PONTE_ORG: 'main',
    SHOP_SECRET: SECRET,
    ...options.env,
  };
  return ponte(
    args.map((arg) => arg.replace(/(^|=)@/, `$1${folder}/`)),
    { ...options, env },
  );
}

/** The request line, and the body where one was sent. */
function asked(): (string | [string, unknown])[] {
  return server.requests.map(({ line, headers, body }) => {
    if (body === '') return line;
    return [line, headers['content-type'] === 'application/json' ? (JSON.parse(body) as unknown) : body];
  });
}

/** Every command with its group: `deliveries list`. */
function commandsOf(command: Command, before: readonly string[] = []): { name: string; command: Command }[] {
  if (command.commands.length === 0) return [{ name: before.join(' '), command }];
  return command.commands.flatMap((child) => commandsOf(child, [...before, child.name()]));
}

const COMMANDS = commandsOf(buildProgram(new Terminal(process)));

/** These work on files, and have tests of their own: test/e2e/backup.spec.ts, test/e2e/move-to.postgres.spec.ts. */
const ON_FILES = ['backup', 'restore', 'move-to'];

describe('every command', () => {
  it('stands in the table of this test', () => {
    const asking = COMMANDS.filter(({ name }) => !ON_FILES.includes(name));
    const missing = asking.filter(({ name }) => !ROWS.some(({ line }) => line.startsWith(name)));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(COMMANDS.length).toBeGreaterThan(40);
  });

  it.each(ROWS.map((row) => [row.line, row] as const))('ponte %s', async (_line, row) => {
    server.answer(...row.answers);
    const ran = await run(row.line);
    expect(ran.code).toBe(0);
    expect(asked()).toEqual(row.asks);
    for (const words of row.shows ?? []) expect(ran.stdout).toContain(words);
    for (const words of row.hides ?? []) expect(ran.stdout).not.toContain(words);
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
    expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  });

  it.each(ROWS.map((row) => [row.line, row] as const))('ponte %s --json', async (_line, row) => {
    server.answer(...row.answers);
    const ran = await run(`${row.line} --json`);
    expect(ran.code).toBe(0);
    expect(asked()).toEqual(row.asks);
    const documents = ran.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
    const last = row.answers.at(-1)?.body as { items?: { id?: string; name?: string }[] } | undefined;
    const whole = /^(providers|actions) show/.test(row.line) ? last?.items?.[0] : last;
    expect(documents.at(-1)).toEqual(whole);
    expect(documents).toHaveLength(whole === undefined ? 0 : row.line.startsWith('send') ? 2 : 1);
  });
});

describe('the help', () => {
  it('of ponte names every command and every exit code', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect([code, stderr]).toEqual([0, '']);
    const first = COMMANDS.map(({ name }) => name.split(' ')[0] ?? '');
    expect(first.filter((name) => !new RegExp(`^  ${name}\\b`, 'm').test(stdout))).toEqual([]);
    for (const exit of [0, 1, 2, 3, 4, 5]) expect(stdout).toMatch(new RegExp(`^  ${exit}  \\w`, 'm'));
  });

  it.each(COMMANDS.map(({ name, command }) => [name, command] as const))(
    'of ponte %s explains each option and shows an example that works',
    async (name, command) => {
      const { code, stdout, stderr } = await run(`${name} --help`);
      expect([code, stderr]).toEqual([0, '']);
      for (const { flags, description } of command.options) {
        expect(stdout).toContain(flags);
        expect(description).not.toBe('');
      }
      expect(stdout).toContain('--key-file');
      const examples = stdout.split('\n').filter((line) => line.startsWith(`  ponte ${name}`));
      expect(examples).not.toEqual([]);
      if (ON_FILES.includes(name)) return;
      for (const example of examples) {
        server.answer({
          status: 418,
          body: { type: 'urn:ponte:problem:teapot', title: 'reached', detail: '' },
        });
        const line = example
          .replace(/ [<>] .*$/, '')
          .replace(/^ *ponte /, '')
          .replaceAll('./secret', '@secret')
          .replaceAll('./new-secret', '@secret')
          .replaceAll('./finance-key', '@secret')
          .replaceAll(/\.\/app-(?:key|token)/g, '@secret')
          .replaceAll(/\.\/(?:orders|customers)\.ndjson/g, '@orders.ndjson')
          .replaceAll(' event.json', ' @event.json');
        const ran = await run(line, {
          input: SECRET,
          env: { SHOPIFY_WEBHOOK_SECRET: SECRET, NUVEMSHOP_TOKEN: SECRET },
        });
        expect([line, ran.stderr.split('\n')[0], ran.code]).toEqual([line, 'reached (teapot, 418)', 1]);
      }
    },
  );
});
