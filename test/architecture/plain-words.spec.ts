import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');

const CHANGE_DETECTION = /^src\/finance\/change-detection\//;

/** A word that is not used any more, and the one in its place. */
interface Replaced {
  use: string;
  /** Where the word stands for what is meant here, if it has other meanings elsewhere. */
  in?: RegExp;
}

/**
 * Names that stand for nothing else: searched in all text, as they are written and as files are named after them
 * (`WatchTurn`, `watch-turn`).
 */
const NAMES: Readonly<Record<string, string>> = {
  WatchTurn: 'PollLease',
  WatchScope: 'PollScope',
  WatchRecord: 'ObservedRecord',
  WatchStaged: 'StagedObservation',
  WatchCustomer: 'PolledCustomer',
  WatchedCustomer: 'PolledCustomer',
  ScopedSighting: 'ScopedObservation',
  recentlyTold: 'recentlyAnnounced',
  heldMark: 'deferredPosition',
  heldFrom: 'deferredFrom',
  toldDue: 'announcedDue',
  lookedAt: 'polledAt',
  ListingLook: 'ListingPoll',
  CustomerRounds: 'CustomerPoll',
  RemoteFront: 'RemoteFinanceGateway',
  ServiceLine: 'ServiceClient',
  FinanceWire: 'FinanceClient',
  AxiosWire: 'HttpFinanceClient',
  FinanceRest: 'FinanceAvailability',
  StoredNews: 'StoredNotifier',
  IntakePace: 'AdmissionLimit',
  IntakeGate: 'AdmissionControl',
  DeliveryReturns: 'DeliveryRequeue',
  StepwiseEngine: 'RemoteWorkflowEngine',
  StepwiseEffects: 'RemoteEffectApplier',
  StepwiseWorker: 'RemoteDeliveryWorker',
  RuleBook: 'ActiveRules',
  RulesInForce: 'RuleLoader',
  FeedWatch: 'LongPoll',
  Resealing: 'SecretReencryption',
  toldForSure: 'lockedResult',
  HeldEntry: 'LockedEntry',
  HeldSource: 'LockedSource',
  parkedAt: 'needsReviewAt',
  holdOn: 'renewLeases',
  restMs: 'backoffMs',
  takeUp: 'resumeRuns',
  vetShapes: 'validateTypes',
  queryWithin: 'queryInTransaction',
  keepPlans: 'usePreparedStatements',
};

/** Names that are also English words: searched among the identifiers of the code alone. */
const IDENTIFIERS: Readonly<Record<string, Replaced>> = {
  Watch: { use: 'ChangeDetector' },
  Telling: { use: 'DetectedChange' },
  Happening: { use: 'ResponseFacts' },
  Hand: { use: 'LeasedBatch' },
  Standing: { use: 'DeliverySnapshot' },
  Doors: { use: 'ListenerPool' },
  Serves: { use: 'FinanceOperation' },
  Writes: { use: 'IdempotentTransaction' },
  Turns: { use: 'Semaphore' },
  Turn: { use: 'CallPermit' },
  inTurn: { use: 'withPermit' },
  Pace: { use: 'RateLimiter' },
  Lanes: { use: 'KeyedMutex', in: /^src\/finance\// },
  mark: { use: 'feedPosition', in: CHANGE_DETECTION },
  differences: { use: 'diff', in: CHANGE_DETECTION },
  differencesOf: { use: 'diff', in: CHANGE_DETECTION },
  agreement: { use: 'matchesAnnounced', in: CHANGE_DETECTION },
  hold: { use: 'lock' },
  told: { use: 'existingResult, printed, announced, reported, notified' },
  isTold: { use: 'isKnown' },
  tell: { use: 'notify, send, report' },
  exchange: { use: 'sendRequest', in: /^src\/finance\// },
  judged: { use: 'classify', in: /^src\/finance\// },
  looks: { use: 'reconcileAttempts', in: /^src\/finance\// },
  behind: { use: 'queued', in: /^src\/finance\// },
  understand: { use: 'normalizeDelivery', in: /^src\/(deliveries|sources)\// },
  glance: { use: 'peekJson' },
  beside: { use: 'startAnother', in: /^src\/deliveries\// },
  unseen: { use: 'pending', in: /^src\/deliveries\// },
  vet: { use: 'validateNames', in: /^src\/rules\// },
  grown: { use: 'waitForNew', in: /^src\/feed\// },
  settle: { use: 'assignPositions', in: /^src\/feed\// },
};

/** What is searched in prose: documents, comments, names of tests. */
const PROSE: readonly (Replaced & { word: RegExp })[] = [
  { word: /\bhouses?\b(?! number)/i, use: 'architecture' },
  { word: /\brooms\b|\b(?:a|an|another|each|every|the|this|which) room\b/i, use: 'module' },
  { word: /\bdoors?\b/, use: 'restricted import, listener' },
  { word: /\bsightings?\b/i, use: 'observation' },
  { word: /\blook(?:s|ed|ing)?\b(?! up)/i, use: 'poll', in: CHANGE_DETECTION },
  { word: /\bturns?\b/i, use: 'lease', in: CHANGE_DETECTION },
  { word: /\bvisit(?:s|ed)?\b/i, use: 'poll', in: CHANGE_DETECTION },
  { word: /\b(?:hold|held)\b/i, use: 'lock, defer', in: CHANGE_DETECTION },
  { word: /\b(?:tells?|telling|told)\b/i, use: 'announce', in: CHANGE_DETECTION },
  { word: /\bseen\b/i, use: 'observed', in: CHANGE_DETECTION },
  { word: /\btold by its absence\b/i, use: 'removed' },
  { word: /\bin hand\b/i, use: 'in flight' },
  { word: /\bnot-arrived\b/, use: 'not-sent' },
  { word: /\bsources\/facts\b/, use: 'sources/mapping' },
];

/** Old words that stay, each with its reason. */
const ALLOWED: readonly { path: RegExp; word: string; reason: string }[] = [
  {
    path: /^docs\/performance\/flame-/,
    word: 'glance',
    reason: 'a profile names functions as they were called when it was measured',
  },
  {
    path: /^(docs\/remote-finance\.md|src\/admin\/finance\/|src\/cli\/commands\/effects\.ts)/,
    word: 'parkedAt',
    reason: "the name of a field of the operators' API",
  },
  {
    path: /^(prisma\/schema\.prisma|src\/finance\/remote\/(calls\/call-store\.repository|client\/finance-client)\.ts)/,
    word: 'not-arrived',
    reason: 'a stored value, and a label of a metric: the files that map it',
  },
];

/** What is read for its prose beside `docs/` and `src/`. */
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'architecture.yaml',
  'prisma/schema.prisma',
  'config/organizations.yaml',
  'config/sources.yaml',
  'monitoring/alerts.yaml',
  'monitoring/dashboard.json',
];

function kebab(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();
}

const PHRASES: readonly (Replaced & { word: RegExp })[] = [
  ...Object.entries(NAMES).map(([name, use]) => ({
    word: new RegExp(/^[A-Z]/.test(name) ? `\\b(${name}|${kebab(name)})s?\\b` : `\\b${name}\\b`),
    use,
  })),
  ...PROSE,
];

/** A line of `path` that says an old word, as `path:line: word -> use`. */
function place(path: string, line: number, word: string, use: string): string[] {
  const allowed = ALLOWED.some((entry) => entry.word === word && entry.path.test(path));
  return allowed ? [] : [`${path}:${line}: ${word} -> ${use}`];
}

function wordsIn(path: string, text: string): string[] {
  // Most files say none of them: line by line only what is somewhere in the text is searched.
  const said = PHRASES.filter((phrase) => (phrase.in?.test(path) ?? true) && phrase.word.test(text));
  if (said.length === 0) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      said.flatMap(({ word, use }) =>
        [...line.matchAll(new RegExp(word, `g${word.flags}`))].flatMap(([found]) =>
          place(path, index + 1, found, use),
        ),
      ),
    );
}

/** Names that are not used in a file of this path, and are somewhere in its text. */
function replacedIn(path: string, text: string): Set<string> {
  const names = Object.entries(IDENTIFIERS).filter(([name, replaced]) => {
    return (replaced.in?.test(path) ?? true) && text.includes(name);
  });
  return new Set(names.map(([name]) => name));
}

/** Which of the names a file declares or names, or a page sets as code. */
function identifiersIn(path: string, text: string, names: Set<string>): [name: string, line: number][] {
  if (names.size === 0) return [];
  if (!path.endsWith('.ts'))
    return text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(/`(\w+)`/g)]
          .filter(([, name = '']) => names.has(name))
          .map(([, name = '']): [string, number] => [name, index + 1]),
      );
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: [string, number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.has(node.text))
      found.push([node.text, source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The identifier that a file is named after: `Doors` of `doors.ts`, `judged` of `judged.spec.ts`; its line is 1. */
function fileNameOf(path: string): [name: string, line: number][] {
  const [stem = ''] = basename(path).split('.');
  const name = Object.keys(IDENTIFIERS).find((identifier) => kebab(identifier) === stem);
  return path.endsWith('.ts') && name !== undefined ? [[name, 1]] : [];
}

/** Every place of a file that says an old word. @param path from the root: `src/kernel/money.ts` */
function placesIn(path: string, text: string): string[] {
  const named = identifiersIn(path, text, replacedIn(path, text));
  const identifiers = [...fileNameOf(path), ...named].flatMap(([name, line]) => {
    const replaced = Object.hasOwn(IDENTIFIERS, name) ? IDENTIFIERS[name] : undefined;
    return replaced && (replaced.in?.test(path) ?? true) ? place(path, line, name, replaced.use) : [];
  });
  return [...wordsIn(path, path), ...wordsIn(path, text), ...identifiers];
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name}`,
  );
}

/** A decision that another has superseded stays as it was written. */
function isSuperseded(path: string): boolean {
  return path.startsWith('docs/adr/0') && /^Accepted.*superseded by/ms.test(statusOf(path));
}

function statusOf(path: string): string {
  const [, status = ''] = /^## Status\n([^]*?)^## /m.exec(readFileSync(join(ROOT, path), 'utf8')) ?? [];
  return status;
}

const PAGES = [
  ...DOCUMENTS,
  ...filesBelow('docs').filter((path) => path.endsWith('.md') && !isSuperseded(path)),
];
const SOURCES = filesBelow('src').filter(
  (path) => /\.ts$/.test(path) && !path.startsWith('src/database/client/'),
);

describe('plain words', () => {
  it('are found missing in a planted page, with line and replacement', () => {
    const page =
      'The first line.\n`RuleBook` stands in the house, see `intake-gate.ts`.\n`Doors` and `kernel`.\n';
    expect(placesIn('docs/planted.md', page)).toEqual([
      'docs/planted.md:2: intake-gate -> AdmissionControl',
      'docs/planted.md:2: RuleBook -> ActiveRules',
      'docs/planted.md:2: house -> architecture',
      'docs/planted.md:3: Doors -> ListenerPool',
    ]);
  });

  it('are found missing in planted code: identifiers, comments, the names of files', () => {
    const code = [
      '// Opens the door: takes `restMs`.',
      'const differences = agreement();',
      "it('Writes what it is told', () => undefined);",
      '// The turn is looked up.',
    ].join('\n');
    expect(placesIn('src/finance/change-detection/service-line.ts', code)).toEqual([
      'src/finance/change-detection/service-line.ts:1: service-line -> ServiceClient',
      'src/finance/change-detection/service-line.ts:1: restMs -> backoffMs',
      'src/finance/change-detection/service-line.ts:1: door -> restricted import, listener',
      'src/finance/change-detection/service-line.ts:3: told -> announce',
      'src/finance/change-detection/service-line.ts:4: turn -> lease',
      'src/finance/change-detection/service-line.ts:2: differences -> diff',
      'src/finance/change-detection/service-line.ts:2: agreement -> matchesAnnounced',
    ]);
    expect(placesIn('src/events/event.ts', code)).toHaveLength(2);
    expect(placesIn('src/finance/wire/judged.spec.ts', '')).toEqual([
      'src/finance/wire/judged.spec.ts:1: judged -> classify',
    ]);
    expect(placesIn('src/sources/facts/sums.ts', '')).toEqual([
      'src/sources/facts/sums.ts:1: sources/facts -> sources/mapping',
    ]);
  });

  it('leave a house number, room for more, and what the allow-list names', () => {
    expect(
      placesIn('src/events/event.ts', '// The house number; there is no room for a second one.'),
    ).toEqual([]);
    expect(placesIn('docs/performance/flame-before.md', '| `glance` | 11.9 % |')).toEqual([]);
    expect(placesIn('docs/feed.md', '| `glance` | 11.9 % |')).toHaveLength(1);
  });

  it.each([
    ['documents', PAGES, 100],
    ['code', SOURCES, 400],
  ])('are used throughout: %s', (_, paths, atLeast) => {
    expect(paths.length).toBeGreaterThan(atLeast);
    expect(paths.flatMap((path) => placesIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});
