import { CommanderError } from 'commander';
import { EXIT, type ExitCode, Failure } from './failure';
import { buildProgram } from './program';
import { type Surroundings, Terminal } from './terminal';

/**
 * Runs one command line, all of it within the surroundings given.
 * @param args without the program's own name: `['deliveries', 'list']`
 * @returns the exit code, once everything is written
 * @throws Error only for what nobody expected
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const terminal = new Terminal(surroundings);
  try {
    await buildProgram(terminal).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return await report(error, terminal);
  } finally {
    await terminal.flushed();
  }
}

async function report(error: unknown, terminal: Terminal): Promise<ExitCode> {
  // The parser has said already what it did not like.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (!(error instanceof Failure)) throw error;
  await terminal.say(error.message);
  return error.exit;
}
