import type { TrialReplica } from './trial-replica';

/** Reads one organization's feed to its end, again and again, through any replica. */
export class FeedReader {
  /** Identifiers of the changes, in the order of the feed. */
  readonly seen: string[] = [];
  private cursor = '';

  constructor(private readonly key: string) {}

  /** Reads what there is. @returns whether it came to the end */
  async read(replica: TrialReplica): Promise<boolean> {
    for (;;) {
      const query = this.cursor && `&after=${encodeURIComponent(this.cursor)}`;
      const reply = await replica.get(`/feed?limit=500${query}`, { apitoken: this.key });
      if (reply?.status !== 200) return false;
      const page = JSON.parse(reply.body) as { items: { id: string }[]; cursor: string; more: boolean };
      this.seen.push(...page.items.map(({ id }) => id));
      this.cursor = page.cursor;
      if (!page.more) return true;
    }
  }
}
