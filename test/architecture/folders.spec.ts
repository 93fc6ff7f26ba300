import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Every file of the product with its imports of other files of the product; specs and generated code left out. */
function importsIn(files: ReadonlyMap<string, string>): [file: string, imported: string][] {
  return [...files].flatMap(([file, text]) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(([, path]): [string, string] => [
      file,
      normalize(join(dirname(file), path ?? '')),
    ]),
  );
}

/** Pairs of folders that import each other, each with an import in either direction. */
function pairsIn(files: ReadonlyMap<string, string>): string[] {
  const edges = new Map<string, string>();
  for (const [file, imported] of importsIn(files)) {
    const [from, to] = [dirname(file), dirname(imported)];
    if (from !== to) edges.set(`${from} ${to}`, `${file} imports ${imported}`);
  }
  return [...edges].flatMap(([edge, why]) => {
    const [from = '', to = ''] = edge.split(' ');
    const back = edges.get(`${to} ${from}`);
    return from < to && back !== undefined ? [`${why}, and ${back}`] : [];
  });
}

function productFiles(): Map<string, string> {
  return new Map(
    readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .map((name) => join('src', name))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .filter((file) => !file.startsWith(join('src', 'database', 'client')))
      .map((file) => [relative('.', file).split(sep).join('/'), readFileSync(join(ROOT, file), 'utf8')]),
  );
}

/** Whether one folder lies within the other: a module's own root puts its parts together. */
function isWithin(pair: string): boolean {
  const [from = '', to = ''] = [...pair.matchAll(/(\S+)\/\S+ imports/g)].map(([, folder]) => folder);
  return from.startsWith(`${to}/`) || to.startsWith(`${from}/`);
}

describe('folders of src', () => {
  it('never import each other, except a module its parts', () => {
    expect(pairsIn(productFiles()).filter((pair) => !isWithin(pair))).toEqual([]);
  });

  it('never import each other in finance, without exception', () => {
    expect(pairsIn(productFiles()).filter((pair) => pair.includes('src/finance/'))).toEqual([]);
  });

  it('are found out where they do', () => {
    const files = new Map([
      ['src/a/one.ts', "import { two } from '../b/two';"],
      ['src/b/two.ts', 'export const two = 2;'],
      ['src/b/three.ts', "export const one = (): Promise<unknown> => import('../a/one');"],
      ['src/c/four.ts', "import { two } from '../b/two';"],
    ]);
    expect(pairsIn(files)).toEqual(['src/a/one.ts imports src/b/two, and src/b/three.ts imports src/a/one']);
  });
});
