#!/usr/bin/env node
import { runHere } from './here/run-here';
import { runCommandLine } from './run';

const args = process.argv.slice(2);

/** `ponte`, in a process of its own. */
(runHere(args, process) ?? runCommandLine(args, process)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `ponte broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
