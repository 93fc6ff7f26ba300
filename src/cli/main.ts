#!/usr/bin/env node
import { runCommandLine } from './run';

/** `ponte`, in a process of its own. */
runCommandLine(process.argv.slice(2), process).then(
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
