import { isObject } from '../../kernel/json-object';
import { pathOf, type Reply } from '../client';
import { command, option, required, wholeNumber } from '../definition';
import { EXIT, Failure, wrongUsage } from '../failure';
import { REASON, type ReasonOptions } from '../options';
import { recordLines } from '../output/record';
import { harmlessJson } from '../output/text';
import { type Session, sourceAddress } from '../session';
import { type Chunk, ChunkReader, MOST_BYTES } from './chunks';

interface ImportOptions extends ReasonOptions {
  source: string;
  topic?: string;
  fromLine?: number;
}

interface Problem {
  line: number;
  reason: string;
}

const COUNTS = ['lines', 'stored', 'duplicates', 'refused', 'ignored'] as const;

/** What came of the lines so far. */
interface Summary extends Record<(typeof COUNTS)[number], number> {
  problems: Problem[];
}

/** As many as Ponte gives of one request. */
const MOST_PROBLEMS = 20;

export const IMPORT = command('import <file>', 'Import what a source did not receive, one record a line', {
  details:
    "Each line is JSON: a webhook's body, or an order as the provider's API gives it (docs/sources). What is known " +
    'already changes nothing, so the same file may be imported again, whole or from a line. - is the standard input.',
  examples: [
    './orders.ndjson --source main/shopify',
    './customers.ndjson --source main/shopify --topic customers/update --from-line 3',
  ],
  options: [
    required('--source <org/slug>', 'into which; the slug alone with --org'),
    option('--topic <topic>', "the provider's topic of all lines, where they do not name theirs"),
    wholeNumber('--from-line <n>', 'leave out the lines before this one'),
    REASON,
  ],
  run: importFile,
});

async function importFile(session: Session, options: ImportOptions, file: string): Promise<void> {
  const { source, topic, reason, fromLine = 1 } = options;
  if (fromLine < 1) throw wrongUsage('--from-line begins with 1');
  const [organization, slug] = sourceAddress(session, source);
  const path = `/admin/organizations${pathOf(organization, 'sources', slug, 'import')}`;
  const summary: Summary = { lines: 0, stored: 0, duplicates: 0, refused: 0, ignored: 0, problems: [] };
  let sent = 0;
  for await (const chunk of new ChunkReader(fromLine).read(session.files.parts(file))) {
    if (sent > 0) await session.terminal.say(progress(summary, chunk.first - 1));
    add(summary, await took(session, chunk, { path, query: { topic, reason }, resumes: sent > 0 }));
    sent += 1;
  }
  await print(session, summary);
  if (summary.refused > 0)
    throw new Failure(EXIT.refused, `${summary.refused} of ${summary.lines} lines were refused.`);
}

interface Address {
  path: string;
  query: { topic: string | undefined; reason: string | undefined };
  /** Something was imported before. */
  resumes: boolean;
}

async function took(
  session: Session,
  { first, bytes }: Chunk,
  { path, query, resumes }: Address,
): Promise<Partial<Summary>> {
  if (!bytes)
    return {
      ...{ lines: 1, refused: 1 },
      problems: [{ line: first, reason: `it is longer than ${MOST_BYTES} bytes` }],
    };
  const headers = { 'content-type': 'application/x-ndjson' };
  const line = first === 1 ? undefined : String(first);
  try {
    return countsIn(
      await session.askPatiently({
        ...{ method: 'POST', path, headers, body: bytes },
        query: { ...query, line },
      }),
    );
  } catch (error) {
    if (!(error instanceof Failure) || !resumes) throw error;
    throw new Failure(error.exit, `${error.message}\nGo on with --from-line ${first}.`);
  }
}

function countsIn({ body }: Reply): Partial<Summary> {
  return isObject(body) ? body : {};
}

function add(summary: Summary, counts: Partial<Summary>): void {
  for (const name of COUNTS) summary[name] += counts[name] ?? 0;
  const room = MOST_PROBLEMS - summary.problems.length;
  summary.problems.push(...(counts.problems ?? []).slice(0, room));
}

function progress({ stored, duplicates, refused }: Summary, last: number): string {
  return `to line ${last}: ${stored} stored, ${duplicates} known before, ${refused} refused`;
}

async function print(session: Session, { problems, ...counts }: Summary): Promise<void> {
  const { terminal, json } = session;
  if (json) return terminal.print(`${harmlessJson(JSON.stringify({ ...counts, problems }))}\n`);
  await terminal.printLines(recordLines(counts, terminal.style));
  for (const { line, reason } of problems) await terminal.say(`line ${line}: ${reason}`);
}
