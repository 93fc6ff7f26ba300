/** A plain text table with a header line, its columns as wide as their longest cell. */
export function table(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return `${title}\n  (none)\n`;
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, index) => pad(cell, widths[index] ?? 0)).join('   ')}`.trimEnd();
  return [title, line(columns), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line), ''].join(
    '\n',
  );
}

/** Amounts stand to the right, everything else to the left. */
function pad(cell: string, width: number): string {
  return /^-?[\d.,]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}
