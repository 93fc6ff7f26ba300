/*
 * An ERP connector for Ponte's feed, with nothing but Node:
 *
 *     PONTE_URL=http://127.0.0.1:3000 PONTE_KEY=… node scripts/run-ts.cjs examples/connector.ts erp.jsonl
 *
 * It keeps every change as a line of a file, once each, whatever happens to it or to Ponte: a change that comes
 * again after a crash has the id it had before. Replace `Ledger` with your ERP.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A CloudEvent, as far as this connector looks at it. */
interface Change {
  id: string;
  type: string;
  subject: string;
  data: unknown;
}

interface Page {
  items: Change[];
  cursor: string;
  more: boolean;
}

const URL_OF_PONTE = (process.env['PONTE_URL'] ?? 'http://127.0.0.1:3000').replace(/\/+$/, '');
const KEY = process.env['PONTE_KEY'] ?? '';
const NAME = process.env['PONTE_CURSOR'] ?? 'erp';
const WAIT_SECONDS = 25;
const LONGEST_PAUSE_MS = 60_000;
const EXPIRED = `This connector begins at its stored cursor: once the records are read, DELETE ${URL_OF_PONTE}/feed/cursors/${NAME}, and start it again.`;

/** Ponte said no, and saying it again would not help. */
class Refused extends Error {}

/** Stands for the ERP: a file of changes, and the ids of those that are in it. */
class Ledger {
  private readonly known = new Set<string>();
  private readonly file: number;

  constructor(path: string) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // What was being written when the last run was killed comes again.
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    for (const line of whole.split('\n').filter(Boolean)) this.known.add((JSON.parse(line) as Change).id);
    this.file = openSync(path, 'a');
  }

  /** Takes in what it does not know yet; it is on the disk when this returns. */
  takeIn(changes: readonly Change[]): void {
    const fresh = changes.filter(({ id }) => !this.known.has(id));
    if (fresh.length === 0) return;
    writeSync(this.file, fresh.map((change) => `${JSON.stringify(change)}\n`).join(''));
    fsyncSync(this.file);
    for (const { id } of fresh) this.known.add(id);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** The reply's JSON; undefined where there is no such thing. Waits while Ponte cannot answer. */
async function call<T>(method: string, path: string, body?: object): Promise<T | undefined> {
  for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const reply = await fetch(URL_OF_PONTE + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout((WAIT_SECONDS + 15) * 1000),
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    const text = await reply?.text().catch(() => undefined);
    const read = reply?.ok && text !== undefined ? readJson(text) : undefined;
    if (read) return read.value as T;
    if (reply?.status === 404) return undefined;
    if (reply && !reply.ok && reply.status !== 429 && reply.status < 500)
      throw new Refused(
        `${reply.status} ${text ?? ''}${text?.includes('cursor-expired') ? `\n${EXPIRED}` : ''}`,
      );
    // Not reached, broken off, no JSON, or told to come back: nothing is lost, the same is asked again.
    const seconds = reply?.headers.get('retry-after') ?? '';
    await sleep(/^\d{1,6}$/.test(seconds) ? Math.max(pause, Number(seconds) * 1000) : pause);
  }
}

/** Undefined where the text is no JSON, as a page that a proxy answers in Ponte's place. */
function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

async function main(path: string): Promise<void> {
  const ledger = new Ledger(path);
  let cursor = (await call<{ cursor: string }>('GET', `/feed/cursors/${NAME}`))?.cursor ?? '';
  for (;;) {
    const query = new URLSearchParams({ after: cursor, wait: String(WAIT_SECONDS), limit: '200' });
    const page = await call<Page>('GET', `/feed?${query.toString()}`);
    if (!page) throw new Refused('there is no feed at this address');
    ledger.takeIn(page.items);
    if (page.cursor === cursor) continue;
    cursor = page.cursor;
    await call('PUT', `/feed/cursors/${NAME}`, { cursor });
  }
}

main(process.argv[2] ?? 'erp.jsonl').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Refused ? `Ponte refused: ${error.message}` : String(error)}\n`);
  process.exitCode = 1;
});
