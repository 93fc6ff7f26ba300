/**
 * The benchmark suite: `npm run bench` runs all of it, `npm run bench -- intake whole-way` the parts named. `--check`
 * is the short form, `--docs` writes the outcome into docs/performance/ (the page of this Node), `--from FILE` that of an
 * earlier run; `--profile PART` draws where the processor's time goes. See docs/performance.md.
 *
 * Ends with code 1 when something could not be measured; a goal that is missed is an outcome and no failure.
 */
import { parseArgs } from 'node:util';
import { BenchContext } from './context';
import { PostgresServer } from './frame/postgres-server';
import { runParts } from './run-parts';
import { allParts, chooseParts } from './parts';
import { drawProfile } from './profile';
import { goalTable } from './report/markdown';
import { checkGoals } from './report/goals';
import type { BenchReport } from './report/results';
import { refreshDocs, RESULTS, saveReport, SHOWN, writeDocs } from './report/files';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
      from: { type: 'string' },
      profile: { type: 'string' },
      name: { type: 'string' },
    },
  });
  if (values.from !== undefined) {
    say(writeDocs(values.from));
    return;
  }
  const url = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];
  if (url === undefined)
    throw new Error('TEST_DATABASE_URL must name a PostgreSQL server: use `npm run bench`');
  const parts = chooseParts(allParts(), positionals);
  const postgres = await PostgresServer.connect(url);
  const context = new BenchContext(values.check, postgres, say);
  try {
    if (values.profile !== undefined) {
      const name = values.name ?? values.profile;
      await drawProfile(context, values.profile, { name, folder: values.docs ? SHOWN : RESULTS });
      if (values.docs) refreshDocs();
      return;
    }
    const report = await runParts(context, parts);
    const file = saveReport(report);
    say(`\n${goalTable(report)}\n\n${file}`);
    if (values.docs) say(writeDocs(file));
    if (!everythingMeasured(report)) process.exitCode = 1;
  } finally {
    await context.close();
    await postgres.close();
  }
}

function everythingMeasured({ parts }: BenchReport): boolean {
  return parts.every(
    ({ goals, result, short }) =>
      result !== undefined &&
      checkGoals(goals, result, short).every(({ verdict }) => verdict !== 'not measured'),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
