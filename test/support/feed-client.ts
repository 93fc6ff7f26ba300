import type { Response } from 'supertest';
import type { CloudEventView, FeedPageView } from '../../src/feed/feed.dto';
import { appendChanges, type Change } from '../../src/feed/changes/changes.repository';
import { newId } from '../../src/kernel/identifier';
import type { Organization } from '../../src/kernel/organization';
import type { TestingApp } from './testing-app';

/** A reader of one organization's feed. */
export class FeedClient {
  private constructor(
    readonly testing: TestingApp,
    readonly organization: Organization,
    readonly key: string,
  ) {}

  static async of(testing: TestingApp, organization?: Organization): Promise<FeedClient> {
    const own = organization ?? (await testing.makeOrganization());
    const { key } = await testing.makeKey(own, 'feed:read');
    return new FeedClient(testing, own, key);
  }

  /** @param path below `/feed`, with its query */
  async get(path = '', headers: Record<string, string> = {}): Promise<Response> {
    return this.testing.http.get(`/feed${path}`).set('apitoken', this.key).set(headers);
  }

  async page(query: Record<string, string | number> = {}): Promise<FeedPageView> {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const reply = await this.get(`?${search.toString()}`);
    expect([reply.status, reply.body]).toEqual([200, expect.any(Object)]);
    return reply.body as FeedPageView;
  }

  /** Everything after a cursor, page by page. */
  async rest(after = '', query: Record<string, string | number> = {}): Promise<CloudEventView[]> {
    const items: CloudEventView[] = [];
    for (let cursor = after; ;) {
      const page = await this.page({ ...query, ...(cursor && { after: cursor }) });
      items.push(...page.items);
      if (!page.more) return items;
      cursor = page.cursor;
    }
  }

  async acknowledge(name: string, cursor: unknown): Promise<Response> {
    return this.testing.http.put(`/feed/cursors/${name}`).set('apitoken', this.key).send({ cursor });
  }

  /** Appends changes in one transaction, numbered from 1. */
  async append(count: number, type: Change['type'] = 'attention.required'): Promise<void> {
    const { id: organizationId } = this.organization;
    const changes = Array.from({ length: count }, (_, index) => {
      return { organizationId, type, recordId: newId(), data: { number: index + 1 } };
    });
    await this.testing.database.transaction((tx) => appendChanges(tx, changes, new Date()));
  }
}

/** What {@link FeedClient.append} put into changes. */
export function numbersOf(items: readonly CloudEventView[]): number[] {
  return items.map(({ data }) => (data as { number: number }).number);
}
