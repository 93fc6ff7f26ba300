import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type {
  FetchedAnswer,
  Normalised,
  SourceContext,
  SourceProvider,
  StoredWebhook,
} from '../../src/sources/source';

export const FIXTURES = resolve(__dirname, '..', 'fixtures');

/** One row of a provider's `cases.json`: a delivery, and what must come of it. */
export interface SourceCase {
  says: string;
  file: string;
  topic: string;
  settings?: Record<string, unknown>;
  /** A file in `expected/`: the events, without `raw`. */
  expected?: string;
  /** The reason why it means nothing. */
  ignored?: string;
  /** The payload has its amounts in whole minor units, and may tell one as the difference of two. */
  minorUnits?: boolean;
  /** What is booked is reckoned from several amounts of the payload: the provider's own spec says how. */
  parts?: boolean;
  /** What it says of money all the same. */
  unbooked?: unknown[];
  /** What it asks for about personal data. */
  privacy?: object;
  /** What the provider's API answers, in the order of the requests. */
  fetched?: FetchedCase[];
}

/** One answer of a provider's API. */
export interface FetchedCase {
  /** The name of the request. */
  name: string;
  /** The path that it must ask for, with its query. */
  path: string;
  /** 200 where absent. */
  status?: number;
  /** A file in `fetched/`; absent: the body is empty. */
  file?: string;
}

/** A secret of every provider's form. */
export const SECRET = 'whsec_dGhpcyBpcyBhIGtleSBmb3IgdGVzdHMgb25seQ==';
export const OTHER_SECRET = 'whsec_YW5vdGhlciBrZXkgdGhhdCB0ZXN0cyB1c2Ugb25seQ==';
export const SENT_AT = new Date('2026-07-15T13:42:33.000Z');
export const RECEIVED_AT = new Date('2026-08-10T12:00:00.000Z');

export function casesOf(provider: string): SourceCase[] {
  return casesIn(join(FIXTURES, provider));
}

/** The cases of a folder of fixtures. */
export function casesIn(folder: string): SourceCase[] {
  return JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as SourceCase[];
}

export function readFixture(provider: string, file: string): Buffer {
  return readFileSync(join(FIXTURES, provider, file));
}

export function contextWith(settings: Readonly<Record<string, unknown>> = {}): SourceContext {
  return { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings };
}

/** A delivery as it comes out of the inbox. */
export function stored(
  topic: string,
  rawBody: Buffer,
  attributes: Record<string, string> = {},
  fetched: readonly FetchedAnswer[] = [],
): StoredWebhook {
  return { topic, attributes, rawBody, receivedAt: RECEIVED_AT, ...(fetched.length > 0 && { fetched }) };
}

/** What a case has fetched. @param folder of the provider's `cases.json` */
export function fetchedIn(folder: string, { fetched = [] }: SourceCase): FetchedAnswer[] {
  return fetched.map(({ name, status = 200, file }) => ({
    name,
    status,
    body: file === undefined ? Buffer.alloc(0) : readFileSync(join(folder, 'fetched', file)),
  }));
}

/** Normalises without any events' `raw`, and without the key of what means nothing, as plain JSON. */
export function outcomeOf(provider: SourceProvider, webhook: StoredWebhook, context: SourceContext): unknown {
  const normalised: Normalised = provider.normalise(webhook, context);
  if ('ignored' in normalised) return JSON.parse(JSON.stringify({ ...normalised, key: undefined }));
  const events = normalised.events.map((event) => ({ ...event, raw: undefined }));
  return JSON.parse(JSON.stringify({ events }));
}
