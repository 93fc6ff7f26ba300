import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { drawBarChart } from './bar-chart';
import { renderReport } from './markdown';
import { fillPage } from './page';
import { type BenchReport, mergeReports } from './results';

const ROOT = join(__dirname, '../..');
/** Of what was measured last, and before. */
export const RESULTS = join(ROOT, 'bench/results');
/** Of what the page shows, beside the page. */
export const SHOWN = join(ROOT, 'docs/performance');

/** What the pages show of one major version of Node: each has a page of its own. */
interface Shown {
  readonly page: string;
  /** The report that the page shows. */
  readonly copy: string;
  /** Of the charts, named from the page. */
  readonly charts: string;
}

/** Writes JSON, Markdown and charts to `bench/results/`, under the time. @returns the path of the JSON */
export function saveReport(report: BenchReport): string {
  const name = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const file = join(RESULTS, `${name}.json`);
  const charts = join(RESULTS, name);
  write(file, `${JSON.stringify(report, undefined, 2)}\n`);
  write(join(RESULTS, `${name}.md`), `${renderReport(report, name)}\n`);
  drawCharts(report, charts);
  return relative(process.cwd(), file);
}

/**
 * Puts a saved report into the page of its Node, over what an earlier one said of the same parts.
 * @returns a line that says what was done
 * @throws Error when there is no page of that Node
 */
export function writeDocs(file: string): string {
  const later = readReport(file);
  const shown = shownOf(later);
  const report = mergeReports(existsSync(shown.copy) ? readReport(shown.copy) : undefined, later);
  fillDocs(report);
  write(shown.copy, `${JSON.stringify(report, undefined, 2)}\n`);
  drawCharts(report, join(SHOWN, shown.charts));
  return `${relative(ROOT, shown.page)} shows ${report.parts.map(({ name }) => name).join(', ')}`;
}

/** Puts what lies in docs/performance/ into the pages anew: the last reports, and the flame graphs. */
export function refreshDocs(): void {
  for (const name of readdirSync(SHOWN))
    if (/^results-node-\d+\.json$/.test(name)) fillDocs(readReport(join(SHOWN, name)));
}

function shownOf({ machine }: BenchReport): Shown {
  const name = `node-${/\d+/.exec(machine.node)?.[0] ?? ''}`;
  const page = join(SHOWN, `figures-${name}.md`);
  return { page, copy: join(SHOWN, `results-${name}.json`), charts: name };
}

function fillDocs(report: BenchReport): void {
  const { page, charts } = shownOf(report);
  const text = [renderReport(report, charts), ...flameGraphs()].join('\n\n');
  write(page, fillPage(readFileSync(page, 'utf8'), text));
}

/** Links to the table and the picture of each profile that was kept, with the names they were given. */
function flameGraphs(): string[] {
  const names = readdirSync(SHOWN).flatMap((file) => /^flame-(.+)\.svg$/.exec(file)?.[1] ?? []);
  if (names.length === 0) return [];
  const links = names
    .sort(byWhat)
    .map((name) => `- [${name}](flame-${name}.md), [flame graph](flame-${name}.svg)`);
  return ["### Where the processor's time goes", links.join('\n')];
}

/** What was measured before stands before what was measured after, of one and the same load. */
function byWhat(left: string, right: string): number {
  const key = (name: string): string =>
    name.replace(/^(before|after)-(.+)$/, '$2 $1').replace(/before$/, 'a');
  return key(left) < key(right) ? -1 : 1;
}

function drawCharts({ parts }: BenchReport, folder: string): void {
  for (const chart of parts.flatMap(({ result }) => result?.charts ?? []))
    write(join(folder, `${chart.name}.svg`), drawBarChart(chart));
}

function readReport(file: string): BenchReport {
  return JSON.parse(readFileSync(file, 'utf8')) as BenchReport;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
