import type { BarChart } from '../part';
import { numberText } from './markdown';
import { escapeXml } from './svg';

const WIDTH = 760;
const LABELS = 300;
const VALUES = 110;
const ROW = 30;
const BAR = 18;
const TOP = 44;
const OURS = '#2f6fb3';
const OTHERS = '#9aa5b1';

/** Draws bars from zero on; those that are ours stand out. Readable on white and on dark ground. */
export function drawBarChart({ title, unit, bars }: BarChart): string {
  const most = Math.max(...bars.map(({ value }) => value), 0) || 1;
  const height = TOP + bars.length * ROW + 10;
  const rows = bars.map(({ label, value, ours }, index) => {
    const y = TOP + index * ROW;
    const length = Math.max(1, ((WIDTH - LABELS - VALUES) * Math.max(0, value || 0)) / most);
    const middle = y + BAR / 2 + 4;
    return [
      `<text x="${LABELS - 10}" y="${middle}" text-anchor="end">${escapeXml(label)}</text>`,
      `<rect x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2" fill="${ours ? OURS : OTHERS}"/>`,
      `<text x="${(LABELS + length + 8).toFixed(1)}" y="${middle}">${escapeXml(`${numberText(value)} ${unit}`)}</text>`,
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(title)}" font-family="system-ui, sans-serif" font-size="13" fill="#57606a">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="10" y="24" font-size="15" font-weight="600" fill="#24292f">${escapeXml(title)}</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}
