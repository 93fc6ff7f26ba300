import {
  type CpuProfile,
  drawFlameGraph,
  foldProfile,
  placeOf,
  topFunctions,
} from '../../bench/report/flame-graph';
import { SaxesParser } from 'saxes';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 1 },
  children,
});

/** root → main → parse twice, by two lines of main; root → (idle). A sample every millisecond. */
const PROFILE: CpuProfile = {
  startTime: 5_000,
  nodes: [
    node(1, '(root)', '', [2, 5]),
    node(2, 'main', 'file:///srv/ponte/dist/src/main.js', [3, 4]),
    node(3, 'parse<T>', '/srv/ponte/node_modules/@acme/json/index.js'),
    node(4, 'parse<T>', '/srv/ponte/node_modules/@acme/json/index.js'),
    node(5, '(idle)', ''),
  ],
  samples: [5, 2, 3, 4, 4, 5],
  timeDeltas: [1_000, 1_000, 1_000, 1_000, 1_000, 1_000],
};

describe('a folded profile', () => {
  const root = foldProfile(PROFILE);

  it('adds up what a function and those it calls took, without the time in which nothing ran', () => {
    expect(root).toMatchObject({ name: '(root)', total: 4_000, self: 0 });
    expect(root.children).toMatchObject([{ name: 'main', place: 'src/main.ts', total: 4_000, self: 1_000 }]);
  });

  it('puts calls of one function from several lines together', () => {
    expect(root.children[0]!.children).toMatchObject([
      { name: 'parse<T>', place: '@acme/json', total: 3_000 },
    ]);
  });

  it('leaves out what was before and after', () => {
    // Samples end at 6,000, 7,000, … 11,000.
    expect(foldProfile(PROFILE, 7_500, 9_000).total).toBe(2_000);
  });

  it('names those that took the most themselves', () => {
    expect(topFunctions(root, 2)).toEqual([
      { name: 'parse<T>', place: '@acme/json', self: 3_000, total: 3_000 },
      { name: 'main', place: 'src/main.ts', self: 1_000, total: 4_000 },
    ]);
  });

  it('counts the time of a function that calls itself once', () => {
    const calls = (id: number, children: number[]) => node(id, 'walk', 'node:fs', children);
    const recursive = { ...PROFILE, nodes: [node(1, '(root)', '', [2]), calls(2, [3]), calls(3, [])] };
    const [walk] = topFunctions(foldProfile({ ...recursive, samples: [2, 3, 3] }), 1);
    expect(walk).toMatchObject({ self: 3_000, total: 3_000 });
  });

  it('refuses a profile that is not whole', () => {
    expect(() => foldProfile({ ...PROFILE, nodes: [] })).toThrow('empty');
    expect(() => foldProfile({ ...PROFILE, nodes: [node(1, '(root)', '', [9])] })).toThrow(
      'lacks its node 9',
    );
  });
});

it.each([
  ['node:internal/net', 'node:internal/net'],
  ['', 'V8'],
  ['/a/node_modules/pg/lib/client.js', 'pg'],
  ['/a/node_modules/x/node_modules/pg/lib/client.js', 'pg'],
  ['/a/dist/scripts/demo/main.js', 'scripts/demo/main.ts'],
  ['wasm://wasm/00d1cb12', '00d1cb12'],
])('says of %p that it is in %s', (url, place) => {
  expect(placeOf(url)).toBe(place);
});

describe('a flame graph', () => {
  const draw = (least: number) => drawFlameGraph(foldProfile(PROFILE), { title: 'Work & waiting', least });

  it('is XML in which names are escaped', () => {
    const svg = draw(0);
    expect(() => new SaxesParser({ xmlns: true }).write(svg).close()).not.toThrow();
    expect(svg).toContain('parse&lt;T&gt; (@acme/json) 75.0 %');
    expect(svg).toContain('Work &amp; waiting');
  });

  it('leaves out what is too narrow to be seen', () => {
    expect(draw(0.8)).toContain('main');
    expect(draw(0.8)).not.toContain('parse');
  });
});
