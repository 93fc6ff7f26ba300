import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS } from '../../src/sources/registry';
import type { ProviderList } from '../../src/sources/missed-webhooks';
import type { FetchedAnswer, SourceProvider } from '../../src/sources/source';
import { FIXTURES } from './source-cases';

/** A provider's `list.json`: its list as its API gives it, and what it means. */
export interface ListCase {
  settings?: Record<string, unknown>;
  period: { from: string; to: string };
  /**
   * The list itself leaves out what changed before the period, for its API cannot be asked for that: where the period is of today, so are
   * the times of its pages, which are UTC.
   */
  keepsToPeriod?: true;
  pages: ListedPage[];
  items: {
    changedAt: string;
    lane: string;
    entity?: string;
    /** The file of the case in `cases.json` that the item turns out to be, once it is fetched. Absent: it is not tried. */
    case?: string;
  }[];
}

export interface ListedPage {
  /** The path that asks for it, with its query. */
  path: string;
  /** What a POST sends; absent: it is a GET. */
  sends?: string;
  /** 200 where absent. */
  status?: number;
  /** A file in `list/`; absent: the body is empty. */
  file?: string;
}

/** A provider that has a list, and its list as the fixtures have it. */
export type Listing = readonly [id: string, provider: SourceProvider, list: ProviderList, listed: ListCase];

/** Those of the registry. @throws Error where a provider with a list has no `list.json` */
export function listings(): Listing[] {
  return PROVIDERS.flatMap((provider): Listing[] => {
    const { id, list } = provider;
    if (!list) return [];
    const file = join(FIXTURES, id, 'list.json');
    if (!existsSync(file)) throw new Error(`${id} has a list, and no fixture of it: ${file}`);
    return [[id, provider, list, JSON.parse(readFileSync(file, 'utf8')) as ListCase]];
  });
}

/** What the API answers when it is asked for a page. */
export function answerOf(provider: string, { status = 200, file }: ListedPage): FetchedAnswer {
  const body = file === undefined ? Buffer.alloc(0) : readFileSync(join(FIXTURES, provider, 'list', file));
  return { name: 'list', status, body };
}
