import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import type * as doctorCommand from '../../doctor/run-doctor';

const load = createRequire(__filename);

/** What these commands use of the process they run in. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * The commands that are no client of a running Ponte: they do their work on this machine, with the settings of the service
 * in the environment. They are loaded when they are asked for: the client alone is small.
 * @returns the exit code; undefined where the command line is about something else
 */
export function runHere(args: readonly string[], surroundings: Surroundings): Promise<number> | undefined {
  const [name, ...rest] = args;
  if (name === 'doctor') return doctor(rest, surroundings);
  if (name === 'start') return Promise.resolve(start(rest, surroundings));
  return undefined;
}

async function doctor(args: readonly string[], { env, stdout }: Surroundings): Promise<number> {
  const { runDoctor } = load('../../doctor/run-doctor') as typeof doctorCommand;
  let written = Promise.resolve();
  const code = await runDoctor(args, env, (text) => {
    written = new Promise((resolve) => stdout.write(text, () => resolve()));
  });
  await written;
  return code;
}

/** Starts the service in this process, which lives on. */
function start(args: readonly string[], { stderr }: Surroundings): number {
  if (args.length > 0) {
    stderr.write('ponte start takes no arguments: settings come from the environment.\n');
    return 2;
  }
  load('../../main');
  return 0;
}
