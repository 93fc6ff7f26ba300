import { Command } from 'commander';
import { VERSION } from '../kernel/version';
import { DEFAULT_URL } from './session';
import { APPROVALS } from './commands/approvals';
import { BACKUP } from './commands/backup';
import { BOOKS } from './commands/books';
import { REPAIR, REPAIRS } from './commands/backtests';
import { COMPLETENESS } from './commands/completeness';
import { DEAD_LETTERS } from './commands/dead-letters';
import { DELIVERIES } from './commands/deliveries';
import { ACTIONS, PROVIDERS } from './commands/descriptions';
import { DEFERRED } from './commands/deferred';
import { EFFECTS } from './commands/effects';
import { ENDPOINTS } from './commands/endpoints';
import { SUBSCRIPTIONS } from './commands/subscriptions';
import { FINANCE } from './commands/finance';
import { KEYS } from './commands/keys';
import { ATTENTION, AUDIT } from './commands/logs';
import { ORGANIZATIONS } from './commands/organizations';
import { MOVE_TO } from './commands/move-to';
import { OVERVIEW } from './commands/overview';
import { PRIVACY } from './commands/privacy';
import { RESTORE } from './commands/restore';
import { RULES } from './commands/rules';
import { ORDER, SEARCH } from './commands/search';
import { SOURCES } from './commands/sources';
import { TABLES } from './commands/tables';
import { addCommand, addGroup } from './definition';
import { IMPORT } from './import/import';
import { SEND } from './send/send';
import type { Terminal } from './terminal';

const ABOUT = `
The key comes from PONTE_KEY, ADMIN_API_KEY or --key-file, never from the command line.
Data goes to the standard output, everything else to the standard error.

Exit codes:
  0  done
  1  Ponte refused it, and said why
  2  wrong usage
  3  Ponte cannot be reached
  4  the key is missing or not valid, or does not allow it
  5  there is no such record

On the machine of the service, with its settings in the environment:
  ponte start          start the service
  ponte doctor         say what a start would meet, before an upgrade (--help)

Begin with:
  ponte organizations list
  ponte deliveries list --org main --state dead
  ponte <command> --help`;

/** Every command. Nothing is read or asked before one is run. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('ponte')
    .description("Ponte for operators, on the command line: a client of the operators' API.")
    .version(VERSION)
    .option('--url <url>', `where Ponte is, or PONTE_URL (default: ${DEFAULT_URL})`)
    .option('--org <org>', "the organization's id or slug, or PONTE_ORG")
    .option('--key-file <file>', 'a file that holds the key')
    .option('--json', "print the API's own JSON instead of tables")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.print(text),
      writeErr: (text) => void terminal.mutter(text),
    })
    .addHelpText('after', ABOUT)
    .exitOverride();
  const groups = [
    ...[ORGANIZATIONS, KEYS, FINANCE, SOURCES, PROVIDERS, ACTIONS, RULES, TABLES, ENDPOINTS, SUBSCRIPTIONS],
    ...[DELIVERIES, DEAD_LETTERS, EFFECTS, APPROVALS, DEFERRED, ATTENTION, AUDIT, REPAIRS, PRIVACY],
    ...[OVERVIEW, BOOKS],
  ];
  for (const group of groups) addGroup(program, terminal, group);
  const alone = [SEARCH, ORDER, REPAIR, COMPLETENESS, IMPORT, SEND, BACKUP, RESTORE, MOVE_TO];
  for (const command of alone) addCommand(program, terminal, command);
  return program;
}
