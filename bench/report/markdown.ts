import type { Machine } from '../frame/machine';
import type { Figure, ResultTable } from '../part';
import { checkGoals, goalText, verdictText } from './goals';
import type { BenchReport, PartReport } from './results';

const HEADS = ['what', 'goal', 'measured', 'verdict'];

/** The whole report as a reader wants it: goals first, then part by part. @param folder of the charts */
export function renderReport(report: BenchReport, folder: string): string {
  const blocks = [
    `Measured ${machineText(report.machine)}, unless a part says otherwise.`,
    goalTable(report),
    ...report.parts.flatMap((part) => renderPart(part, report.machine, folder)),
  ];
  return blocks.join('\n\n');
}

/** One row for each goal of each part. */
export function goalTable({ parts }: BenchReport): string {
  const rows = parts.flatMap((part) =>
    checkGoals(part.goals, part.result, part.short).map((checked) => {
      const { goal, figure } = checked;
      const what = `${part.name}: ${goal.figure}${goal.moonshot ? ' (moonshot)' : ''}`;
      const unit = figure?.unit ?? '';
      return [what, goalText(goal, unit), figure ? valueText(figure) : '', verdictText(checked)];
    }),
  );
  return markdownTable(HEADS, rows);
}

/** `2 × Intel …, 24 GB, Linux 6.1, Node v20.19.0, PostgreSQL 15.8 (fsync on, …)`. */
export function machineText(machine: Machine): string {
  const settings = Object.entries(machine.postgresSettings).map(([name, value]) => `\`${name}\` ${value}`);
  return (
    `on ${machine.cores} × ${machine.processor}, ${machine.memoryGigabytes} GB, ${machine.system}, ` +
    `Node ${machine.node}, PostgreSQL ${machine.postgres} (${settings.join(', ')}), everything on this machine`
  );
}

function renderPart(part: PartReport, machine: Machine, folder: string): string[] {
  const heading = `### ${part.title}`;
  const when = `${part.measuredAt.slice(0, 16).replace('T', ' ')} UTC, ${part.short ? 'short' : 'long'} form, ${Math.round(part.seconds)} s.`;
  const where = machineText(part.machine ?? machine);
  const said = where === machineText(machine) ? when : `${when} Measured ${where}.`;
  if (!part.result) return [heading, said, `Could not be measured: ${part.error ?? 'unknown'}`];
  const { figures, tables = [], charts = [], processes = [], notes = [] } = part.result;
  return [
    heading,
    said,
    ...charts.map(({ name, title }) => `![${title}](${folder}/${name}.svg)`),
    ...tables.flatMap((table) => [`${table.title}:`, renderTable(table)]),
    markdownTable(
      ['figure', 'median', 'runs'],
      figures.map((figure) => [
        figure.name,
        valueText(figure),
        (figure.runs ?? []).map((value) => numberText(value)).join(', '),
      ]),
    ),
    ...(processes.length === 0
      ? []
      : [
          markdownTable(
            ['process', 'CPU seconds', 'peak memory MB'],
            processes.map((one) => [one.name, one.cpuSeconds.toFixed(1), one.peakMegabytes.toFixed(0)]),
          ),
        ]),
    ...notes,
  ];
}

function renderTable({ columns, rows }: ResultTable): string {
  return markdownTable(
    columns,
    rows.map((row) => row.map((cell) => (typeof cell === 'number' ? numberText(cell) : cell))),
  );
}

/** Padded, as the formatter would leave it. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [columns, ...rows].map((row) =>
    row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')),
  );
  const widths = columns.map((_, column) =>
    Math.max(3, ...cells.map((row) => [...(row[column] ?? '')].length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(row[column] ?? '', width)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join(
    '\n',
  );
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

export function valueText({ value, unit }: Figure): string {
  return `${numberText(value)} ${unit}`.trim();
}

/** Three digits that matter, and all those before the point. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '—';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
