import { Command } from 'commander';
import { VERSION } from '../kernel/version';
import { DEFAULT_URL } from './address';
import { deadLetterCommands } from './commands/dead-letters';
import { deliveryCommands } from './commands/deliveries';
import { descriptionCommands } from './commands/descriptions';
import { effectCommands } from './commands/effects';
import { financeCommands } from './commands/finance';
import { keyCommands } from './commands/keys';
import { logCommands } from './commands/logs';
import { organizationCommands } from './commands/organizations';
import { ruleCommands } from './commands/rules';
import { sourceCommands } from './commands/sources';
import { tableCommands } from './commands/tables';
import { sendCommand } from './send/send';
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
  for (const commands of [
    organizationCommands,
    keyCommands,
    financeCommands,
    sourceCommands,
    descriptionCommands,
    ruleCommands,
    tableCommands,
    deliveryCommands,
    deadLetterCommands,
    effectCommands,
    logCommands,
    sendCommand,
  ])
    commands(program, terminal);
  return program;
}
