import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { BenchContext } from './context';
import type { Part } from './part';
import type { BenchReport, PartReport } from './report/results';

/** Runs parts one after another; one that fails leaves the others to be measured. */
export async function runParts(context: BenchContext, parts: readonly Part[]): Promise<BenchReport> {
  const reports: PartReport[] = [];
  for (const part of parts) {
    context.say(part.title);
    const report = await runPart(context, part);
    context.say(`  ${Math.round(report.seconds)} s`);
    reports.push(report);
  }
  return { machine: context.machine, revision: revision(), parts: reports };
}

async function runPart(context: BenchContext, part: Part): Promise<PartReport> {
  const started = performance.now();
  const about = {
    name: part.name,
    title: part.title,
    order: part.order,
    goals: part.goals,
    short: context.short,
    measuredAt: new Date().toISOString(),
  };
  const seconds = (): number => (performance.now() - started) / 1000;
  try {
    const result = await part.run(context);
    return { ...about, seconds: seconds(), result };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    context.say(`  could not be measured: ${message}`);
    return { ...about, seconds: seconds(), error: message.split('\n')[0] };
  } finally {
    await context.cleanUp();
  }
}

function revision(): string | undefined {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
