import { parseArgs } from 'node:util';
import type { Environment } from './check-settings';
import { examine } from './doctor';
import type { Finding } from './finding';

const USAGE = `Usage: ponte doctor [--replicas <number>] [--json]

Says what a start of this version would meet: which migrations would run, which
settings are wrong or unknown, and what of the database endangers what Ponte
promises. It reads the settings of the service from the environment, asks the
database itself, and changes nothing.

Options:
  --replicas <number>  processes that are to share the database (default: 2)
  --json               print {"findings": [{"level", "check", "what", "todo"}]}
  --help               print this

Exit codes: 0, or 1 where a finding fails, or 2 for wrong usage.

Example:
  DATABASE_URL=postgresql://… SECRETS_KEY=… ponte doctor --replicas 3
`;
const MOST_REPLICAS = 999;

/**
 * `ponte doctor`.
 * @param args what stands behind `doctor`
 * @param print writes to the standard output
 * @returns the exit code
 */
export async function runDoctor(
  args: readonly string[],
  env: Environment,
  print: (text: string) => void,
): Promise<number> {
  const options = optionsOf(args);
  if (options === undefined || options.help) {
    print(USAGE);
    return options === undefined ? 2 : 0;
  }
  const findings = await examine(env, options.replicas);
  print(options.json ? `${JSON.stringify({ findings }, undefined, 2)}\n` : inLines(findings));
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
}

/** @returns undefined where they cannot be understood */
function optionsOf(args: readonly string[]): { replicas: number; json: boolean; help: boolean } | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        replicas: { type: 'string', default: '2' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const replicas = /^\d{1,3}$/.test(values.replicas) ? Number(values.replicas) : 0;
    return replicas >= 1 && replicas <= MOST_REPLICAS ? { ...values, replicas } : undefined;
  } catch {
    return undefined;
  }
}

function inLines(findings: readonly Finding[]): string {
  const lines = findings.map(({ level, check, what, todo }) => {
    const action = todo === undefined ? '' : ` → ${todo}`;
    return `${level.padEnd(4)}  ${check}: ${oneLine(what)}${action}\n`;
  });
  return lines.join('');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
