import { ANSWER_MS } from './connection-limits';
import type { WatchedClient } from './watched-client';

/** Milliseconds: a wait for an answer that is shown to operators. */
const LONG_WAIT_MS = 3_000;
/** Milliseconds for which a long wait that is over is still shown. */
const RECENT_MS = 15_000;

/** Milliseconds for which it is shown what the server said that it lacks. */
const SHORTAGE_MS = 60_000;

export interface AnswerDelays {
  /** Milliseconds that the statement which waits longest has been waiting; 0: none waits. */
  pendingMs: number;
  /** Milliseconds of the longest wait, of three seconds or more, that ended within the last fifteen; 0: none did. */
  recentMs: number;
  /** Connections abandoned since the process began, because nothing was received from the server. */
  abandoned: number;
}

/** The connections of this process to the database, and what it has seen of them. */
export class OpenConnections {
  private readonly clients = new Set<WatchedClient>();
  private recent: { endedAt: number; ms: number } | undefined;
  private abandoned = 0;
  private shortageSeen: { at: number; what: string } | undefined;

  add(client: WatchedClient): void {
    this.clients.add(client);
  }

  remove(client: WatchedClient): void {
    this.clients.delete(client);
  }

  /** A wait for an answer has ended, with an answer or without. */
  recordWait(ms: number): void {
    if (ms < LONG_WAIT_MS) return;
    this.recent = { endedAt: performance.now(), ms: Math.max(ms, this.recentMs()) };
  }

  /**
   * A connection was abandoned that had been silent since a moment of `performance.now()`. Where it was so for longer than
   * any statement may run, whatever swallows its bytes does so to the others as a rule: those that are idle and have
   * received nothing since are abandoned with it, instead of each costing somebody as long a wait. Who gave up before, for
   * a deadline of its own, may only have met a slow statement.
   */
  connectionSilent(since: number): void {
    this.abandoned += 1;
    if (performance.now() - since < ANSWER_MS) return;
    for (const client of [...this.clients]) if (client.idleSince(since)) client.abandon();
  }

  /** The server takes no writes any more: connections that are idle are left, and made anew to the one that does. */
  serverOnlyReads(): void {
    const now = performance.now();
    for (const client of [...this.clients]) if (client.idleSince(now)) client.leave();
  }

  /** The server refused a statement because it lacks something: see `shortageOf`. */
  recordShortage(what: string): void {
    this.shortageSeen = { at: performance.now(), what };
  }

  /** What the server lacked for a statement within the last minute; undefined: nothing. */
  shortage(): string | undefined {
    const seen = this.shortageSeen;
    return seen && performance.now() - seen.at <= SHORTAGE_MS ? seen.what : undefined;
  }

  delays(): AnswerDelays {
    const now = performance.now();
    const pending = [...this.clients].map(({ pendingSince }) =>
      pendingSince === undefined ? 0 : now - pendingSince,
    );
    return { pendingMs: Math.max(0, ...pending), recentMs: this.recentMs(), abandoned: this.abandoned };
  }

  private recentMs(): number {
    if (!this.recent || performance.now() - this.recent.endedAt > RECENT_MS) return 0;
    return this.recent.ms;
  }
}
