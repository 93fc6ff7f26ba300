import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeActions } from './actions/registry';
import { SIGNATURES } from './cel/functions';
import { problemsOf, TABLES } from './fixtures';
import { loadRule } from './load-rule';
import { loadTable } from './load-table';

const root = join(__dirname, '../..');
const guide = readFileSync(join(root, 'docs/rules.md'), 'utf8');

/** Fenced blocks of the guide, by what stands after the three backticks. */
function blocks(info: string): string[] {
  const fence = new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...guide.matchAll(fence)].map(([, text]) => text ?? '');
}

describe('the guide', () => {
  it('has only YAML that says what it is', () => {
    const fences = [...guide.matchAll(/^```(yaml.*)$/gm)].map(([, info]) => info);
    expect(fences.length).toBeGreaterThanOrEqual(6);
    expect(new Set(fences)).toEqual(new Set(['yaml rule', 'yaml table', 'yaml problems']));
  });

  it.each(blocks('yaml rule'))('shows rules that load: %#', (document) => {
    expect(problemsOf(document)).toEqual([]);
  });

  it.each(blocks('yaml table'))('shows tables that load: %#', (document) => {
    expect(loadTable(document)).toHaveProperty('table');
  });

  it('shows the problems that a rule with mistakes has', () => {
    const [mistakes = ''] = blocks('yaml problems');
    const [shown = ''] = blocks('text');
    const lines = problemsOf(mistakes).map(({ line, column, message }) => `${line}:${column} ${message}`);
    expect(lines).toEqual(shown.trimEnd().split('\n'));
  });

  it('names every function, action, input and output', () => {
    const named = (name: string) => expect(guide).toMatch(new RegExp(`\\b${name}\\b`));
    Object.keys(SIGNATURES).forEach(named);
    for (const { name, input, output } of describeActions()) {
      expect(guide).toContain(`### \`${name}\``);
      [...input, ...output].forEach((field) => named(field.name));
    }
  });
});

describe('the configuration that comes with Ponte', () => {
  const files = (folder: string) =>
    readdirSync(join(root, 'config', folder)).map((name) =>
      readFileSync(join(root, 'config', folder, name), 'utf8'),
    );

  it('has tables that load, among them those of the tests', () => {
    const loaded = files('tables').map(loadTable);
    const names = loaded.map((table) => ('table' in table ? table.table.name : table.problems));
    expect(names).toEqual(expect.arrayContaining(['category', 'gatewayAccount']));
    expect(names.filter((name) => typeof name !== 'string')).toEqual([]);
    expect([...TABLES.keys()]).toEqual(expect.arrayContaining(['category', 'gatewayAccount']));
  });

  it('has rules that load with its tables', () => {
    const tables = files('tables').flatMap((document) => {
      const loaded = loadTable(document);
      return 'table' in loaded ? [loaded.table.name] : [];
    });
    const problems = files('rules').map((document) => {
      const loaded = loadRule(document, { tables });
      return 'problems' in loaded ? loaded.problems : [];
    });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.flat()).toEqual([]);
  });
});
