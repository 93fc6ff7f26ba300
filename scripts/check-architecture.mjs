// Compares the tables in ARCHITECTURE.md with architecture.yaml. With --write it corrects the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readArchitecture } from './check-imports.mjs';

const write = process.argv.includes('--write');
const page =
  process.argv.slice(2).find((argument) => !argument.startsWith('--')) ??
  join(import.meta.dirname, '../ARCHITECTURE.md');

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(texts) {
  return texts.map((text) => `\`${text}\``).join(', ');
}

function modules(architecture) {
  return [
    row(['module', 'files', 'holds', 'may import']),
    row(['---', '---', '---', '---']),
    ...architecture.modules.map(({ name, files, holds, mayImport }) =>
      row([`**${name}**`, code(files), holds, mayImport.join(', ') || 'nothing of ours']),
    ),
  ];
}

function restrictedImports(architecture) {
  return [
    row(['only here', 'may be imported', 'because']),
    row(['---', '---', '---']),
    ...architecture.restrictedImports.map(({ libraries, names, onlyIn, notIn, because }) => {
      const what = names ? `${code(names)} of ${code(libraries)}` : code(libraries);
      const where = notIn ? `anywhere but ${code(notIn)}` : onlyIn.length > 0 ? code(onlyIn) : 'nowhere';
      return row([where, what, because]);
    }),
  ];
}

const architecture = readArchitecture();
const text = readFileSync(page, 'utf8');
const marked = /(<!-- modules:start[^>]*-->\n)[\s\S]*(<!-- modules:end -->)/;
if (!marked.test(text)) throw new Error(`${page} has no place for the table of modules`);
const tables = [
  ...modules(architecture),
  '',
  'Libraries that only some modules may import:',
  '',
  ...restrictedImports(architecture),
].join('\n');
const expected = await format(
  text.replace(marked, (_, start, end) => `${start}\n${tables}\n\n${end}`),
  { ...(await resolveConfig(page)), parser: 'markdown' },
);

if (write) writeFileSync(page, expected);
else if (text !== expected) {
  console.error(
    'ARCHITECTURE.md and architecture.yaml differ: run `node scripts/check-architecture.mjs --write`',
  );
  process.exit(1);
}
