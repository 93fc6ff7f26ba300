import { escapeXml } from './svg';

/** A V8 CPU profile, as `--cpu-prof` writes it. */
export interface CpuProfile {
  nodes: readonly {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: readonly number[];
  }[];
  /** Microseconds on the clock that `process.hrtime` reads on Linux. */
  startTime: number;
  /** Identifiers of nodes. */
  samples: readonly number[];
  /** Microseconds since the sample before. */
  timeDeltas: readonly number[];
}

/** A function as called from where it is called, with all that it calls. */
export interface Frame {
  name: string;
  /** Where it is: `src/deliveries/inbox.ts`, `pg`, `node`, … */
  place: string;
  /** Microseconds in it and in what it calls. */
  total: number;
  /** Microseconds in it alone. */
  self: number;
  children: Frame[];
}

export interface FlameGraphOptions {
  title: string;
  /** Frames narrower than this share of the whole are left out, so that the picture stays small. */
  least: number;
}

const IDLE = new Set(['(idle)', '(program)']);
const WIDTH = 1200;
const ROW = 16;
const TOP = 48;
const LETTER = 6.2;

/**
 * Folds samples into a tree; time in which the process waited is left out.
 * @param from microseconds, as `startTime`: samples before that are left out
 * @param to and those after that
 */
export function foldProfile(profile: CpuProfile, from = 0, to = Infinity): Frame {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const self = new Map<number, number>();
  let now = profile.startTime;
  profile.samples.forEach((id, index) => {
    const micros = profile.timeDeltas[index] ?? 0;
    now += micros;
    if (now >= from && now <= to) self.set(id, (self.get(id) ?? 0) + micros);
  });
  const build = (id: number): Frame => {
    const node = nodes.get(id);
    if (!node) throw new Error(`the profile lacks its node ${id}`);
    const name = node.callFrame.functionName || '(anonymous)';
    const children = mergeAlike(
      (node.children ?? []).map(build).filter((child) => child.total > 0 && !IDLE.has(child.name)),
    );
    const own = self.get(id) ?? 0;
    const place = placeOf(node.callFrame.url);
    return { name, place, self: own, total: children.reduce((sum, { total }) => sum + total, own), children };
  };
  const [root] = profile.nodes;
  if (!root) throw new Error('the profile is empty');
  return build(root.id);
}

/** One caller's calls of one function are one frame, from whatever line. */
function mergeAlike(frames: readonly Frame[]): Frame[] {
  const merged = new Map<string, Frame>();
  for (const frame of frames) {
    const key = `${frame.name} ${frame.place}`;
    const first = merged.get(key);
    merged.set(
      key,
      first
        ? {
            ...first,
            self: first.self + frame.self,
            total: first.total + frame.total,
            children: mergeAlike([...first.children, ...frame.children]),
          }
        : frame,
    );
  }
  return [...merged.values()];
}

/** The part of a path that a reader needs. */
export function placeOf(url: string): string {
  const path = url.replace(/^file:\/\//, '');
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (library !== undefined) return library;
  const own = /(?:.*\/dist|.*)\/((?:src|scripts|bench)\/.*)$/.exec(path)?.[1];
  if (own !== undefined) return own.replace(/\.js$/, '.ts');
  return path.startsWith('node:') ? path : path === '' ? 'V8' : path.replace(/.*\//, '');
}

/** A standing flame graph: callers below, what they call above them, as wide as it took time. */
export function drawFlameGraph(root: Frame, { title, least }: FlameGraphOptions): string {
  const boxes: string[] = [];
  const scale = WIDTH / (root.total || 1);
  const depth = depthOf(root, root.total * least);
  const height = TOP + depth * ROW + 8;
  const draw = (frame: Frame, x: number, level: number): void => {
    boxes.push(
      box(frame, { x, y: height - 8 - (level + 1) * ROW, width: frame.total * scale, all: root.total }),
    );
    let next = x;
    for (const child of shown(frame, root.total * least)) {
      draw(child, next, level + 1);
      next += child.total * scale;
    }
  };
  draw(root, 0, 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="ui-monospace, monospace" font-size="10">`,
    `<style>g:hover rect{stroke:#000}text{pointer-events:none}</style>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="8" y="20" font-size="14" font-family="system-ui, sans-serif">${escapeXml(title)}</text>`,
    `<text x="8" y="38" fill="#57606a">Main thread, waiting left out; callers below. Blue: Ponte, green: libraries, yellow: Node, red: V8</text>`,
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
}

function box(frame: Frame, at: { x: number; y: number; width: number; all: number }): string {
  const share = ((frame.total / at.all) * 100).toFixed(1);
  const letters = Math.floor((at.width - 4) / LETTER);
  const label =
    letters < 3 ? '' : frame.name.length > letters ? `${frame.name.slice(0, letters - 1)}…` : frame.name;
  const text = label ? `<text x="${(at.x + 2).toFixed(1)}" y="${at.y + 11}">${escapeXml(label)}</text>` : '';
  const about = escapeXml(`${frame.name} (${frame.place}) ${share} %`);
  return (
    `<g><title>${about}</title><rect x="${at.x.toFixed(1)}" y="${at.y}" width="${Math.max(at.width - 0.3, 0.3).toFixed(1)}" ` +
    `height="${ROW - 1}" fill="${colourOf(frame.place)}"/>${text}</g>`
  );
}

/** The children wide enough to be seen, by name, so that two pictures can be compared. */
function shown(frame: Frame, least: number): Frame[] {
  return frame.children
    .filter(({ total }) => total >= least)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function depthOf(frame: Frame, least: number): number {
  return 1 + Math.max(0, ...shown(frame, least).map((child) => depthOf(child, least)));
}

function colourOf(place: string): string {
  if (/^(src|scripts|bench)\//.test(place)) return '#9cc4ee';
  if (place === 'V8') return '#f3a7a0';
  if (place.startsWith('node:')) return '#f2dc8d';
  return '#a9dba4';
}

export interface FunctionTime {
  name: string;
  place: string;
  /** Microseconds. */
  self: number;
  total: number;
}

/** The functions that took the most time themselves, wherever they were called from. */
export function topFunctions(root: Frame, count: number): FunctionTime[] {
  const times = new Map<string, FunctionTime>();
  const visit = (frame: Frame, above: ReadonlySet<string>): void => {
    const key = `${frame.name} ${frame.place}`;
    const time = times.get(key) ?? { name: frame.name, place: frame.place, self: 0, total: 0 };
    times.set(key, time);
    time.self += frame.self;
    // What calls itself is counted once.
    if (!above.has(key)) time.total += frame.total;
    const within = new Set(above).add(key);
    for (const child of frame.children) visit(child, within);
  };
  visit(root, new Set());
  return [...times.values()].sort((left, right) => right.self - left.self).slice(0, count);
}
