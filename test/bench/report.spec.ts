import { SaxesParser } from 'saxes';
import { readReport } from '../../bench/limits/pgbench';
import { drawBarChart } from '../../bench/report/bar-chart';
import { ratioFigure } from '../../bench/report/figures';
import { markdownTable, numberText, renderReport } from '../../bench/report/markdown';
import { fillPage } from '../../bench/report/page';
import { type BenchReport, mergeReports, type PartReport } from '../../bench/report/results';

const partReport = (name: string, order: number, measuredAt = '2026-11-22T03:00:00.000Z'): PartReport => ({
  name,
  title: `The part ${name}`,
  order,
  short: true,
  measuredAt,
  seconds: 5,
  goals: [{ figure: 'rate', atLeast: 2 }],
  result: { figures: [{ name: 'rate', value: 3, unit: '×' }] },
});

const report = (...parts: PartReport[]): BenchReport => ({
  machine: {
    processor: 'A processor',
    cores: 2,
    memoryGigabytes: 8,
    system: 'Linux 6',
    node: 'v20.19.0',
    postgres: '15.8',
    postgresSettings: { fsync: 'on' },
  },
  parts,
});

describe('a bar chart', () => {
  const draw = (...bars: { label: string; value: number; ours?: boolean }[]) =>
    drawBarChart({ name: 'c', title: 'Rates', unit: '/s', bars });

  const widths = (svg: string): number[] =>
    [...svg.matchAll(/width="([\d.]+)" height="18"/g)].map(([, width]) => Number(width));

  it('has bars in proportion, the longest over the whole breadth', () => {
    const [first = NaN, second] = widths(
      draw({ label: 'a', value: 200, ours: true }, { label: 'b', value: 50 }),
    );
    expect(second).toBeCloseTo(first / 4);
  });

  it('is XML, whatever labels hold', () => {
    const svg = draw({ label: 'Fastify <"&"> pg', value: 1 });
    expect(() => new SaxesParser({ xmlns: true }).write(svg).close()).not.toThrow();
  });

  it('stands what is zero, no number or not there', () => {
    expect(draw()).toContain('</svg>');
    expect(draw({ label: 'a', value: 0 }, { label: 'b', value: NaN })).not.toMatch(/width="NaN"/);
  });
});

describe('a report', () => {
  it('begins with the goals of all parts and shows each part', () => {
    const text = renderReport(report(partReport('intake', 20), partReport('light', 80)), 'charts');
    expect(text).toContain('| intake: rate | at least 2 × | 3.00 ×   | holds: 1.50 of the goal |');
    expect(text).toContain('### The part light');
    expect(text).toContain('Node v20.19.0, PostgreSQL 15.8 (`fsync` on)');
  });

  it('says why a part could not be measured', () => {
    const failed = { ...partReport('intake', 20), result: undefined, error: 'pgbench is missing' };
    expect(renderReport(report(failed), 'charts')).toContain('Could not be measured: pgbench is missing');
  });

  it('keeps of an earlier one what was not measured again', () => {
    const earlier = report(partReport('intake', 20, 'first'), partReport('light', 80, 'first'));
    const merged = mergeReports(
      earlier,
      report(partReport('light', 80, 'second'), partReport('latency', 40)),
    );
    expect(merged.parts.map(({ name, measuredAt }) => [name, measuredAt])).toEqual([
      ['intake', 'first'],
      ['latency', expect.any(String)],
      ['light', 'second'],
    ]);
  });

  it('says of what was not measured again on which machine it was', () => {
    const earlier = report(partReport('intake', 20));
    const later = { ...report(partReport('light', 80)), machine: { ...earlier.machine, node: 'v20.20.2' } };
    const again = { ...report(partReport('latency', 40)), machine: { ...earlier.machine, node: 'v20.30.0' } };
    const text = renderReport(mergeReports(mergeReports(earlier, later), again), 'charts');
    const [head = '', ...parts] = text.split(/^### /m);
    expect(head).toContain('Node v20.30.0');
    expect(parts.map((part) => /Node (v[\d.]+)/.exec(part)?.[1])).toEqual([
      'v20.19.0',
      undefined,
      'v20.20.2',
    ]);
  });

  it('goes between the markers of a page, and nowhere else', () => {
    const page = 'before\n<!-- figures:begin -->\nold\n<!-- figures:end -->\nafter';
    const filled = fillPage(page, 'new');
    expect(filled).toBe('before\n<!-- figures:begin -->\n\nnew\n\n<!-- figures:end -->\nafter');
    expect(fillPage(filled, 'new')).toBe(filled);
    expect(() => fillPage('no markers', 'new')).toThrow('once each');
    expect(() => fillPage(page + page, 'new')).toThrow('once each');
  });

  it('writes tables as the formatter leaves them', () => {
    expect(markdownTable(['a', 'b'], [['1|2', 'µs']])).toBe(
      ['| a    | b   |', '| ---- | --- |', '| 1\\|2 | µs  |'].join('\n'),
    );
  });

  it.each([
    [1234.5, '1,235'],
    [123.4, '123'],
    [12.34, '12.3'],
    [0.456, '0.46'],
    [NaN, '—'],
  ])('shows %d as %s', (value, text) => {
    expect(numberText(value)).toBe(text);
  });
});

it('compares round by round: a ratio is of runs that had the same minute', () => {
  expect(ratioFigure('r', [100, 10, 300], [50, 10, 100]).value).toBe(2);
});

describe("pgbench's report", () => {
  const text =
    'number of transactions actually processed: 9767\nlatency average = 1 ms\ntps = 2437.89 (without …)\n';

  it('is read', () => {
    expect(readReport(text)).toEqual({ perSecond: 2437.89, count: 9767 });
  });

  it.each([
    ['nothing', ''],
    ['no transactions', text.replace('9767', '0')],
    ['failed ones', `number of failed transactions: 3 (0.1%)\n${text}`],
  ])('is refused when it tells of %s', (_what, told) => {
    expect(() => readReport(told)).toThrow('measured nothing');
  });
});
