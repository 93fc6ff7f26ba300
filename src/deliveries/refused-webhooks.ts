import { Injectable, Logger } from '@nestjs/common';
import { SLUG } from '../config/configuration';
import { BoundedMap } from '../kernel/bounded-map';
import { Problem } from '../kernel/problem';
import { IntakeMetrics } from './intake-metrics';
import { type LiveSource, SourceDirectory } from './source-directory';
import { SourceRefusals } from './source-refusals.repository';

/** Shortest time between two log lines about one source, in milliseconds: strangers can send as many as they like. */
const SILENCE_MS = 10_000;
/** Of how many sources that is remembered. */
const MOST_SOURCES = 1_000;
/** When a sender may come back whose signature was perhaps made with a secret that this replica cannot open. */
const ELSEWHERE_SECONDS = 30;

interface Silence {
  loggedAt: number;
  since: number;
}

/**
 * Refuses webhooks that cannot be shown to be genuine. Their senders are answered alike, whether the address is one of
 * a source or not; operators learn from the log and the metrics which it was. While there are sources whose secrets this
 * replica cannot open, all are answered 503 with Retry-After: another replica can verify them.
 */
@Injectable()
export class RefusedWebhooks {
  private readonly logger = new Logger('intake');
  private readonly unknown: Silence = { loggedAt: -Infinity, since: 0 };
  /** By the source's id: one source's wrong secret does not hide that of another. */
  private readonly unsigned = new BoundedMap<string, Silence>(MOST_SOURCES);

  constructor(
    private readonly metrics: IntakeMetrics,
    private readonly sources: SourceDirectory,
    private readonly sourceRefusals: SourceRefusals,
  ) {}

  /** @returns the refusal of a webhook to an address that no source has */
  atUnknown(organization: string, source: string): Problem {
    this.metrics.count('none', 'source-unknown');
    this.log(this.unknown, {
      msg: 'intake: webhooks arrive at an address that no source has; compare the address in the shop with that of the source',
      organization: loggable(organization),
      source: loggable(source),
    });
    return this.refusal();
  }

  /** @param reason why, without anything the sender chose */
  at({ id, provider, organization, slug, secretsUnread }: LiveSource, reason: string): Problem {
    this.metrics.count(provider.id, 'signature-invalid');
    // With secrets that cannot be read, another replica may take what this one does not.
    if (!secretsUnread) this.sourceRefusals.note(id, reason);
    const silence = this.unsigned.getOrMake(id, () => ({ loggedAt: -Infinity, since: 0 }));
    this.log(silence, {
      msg: 'intake: webhooks are refused; compare the secret in the shop with that of the source',
      organization: organization.slug,
      source: slug,
      reason,
    });
    return this.refusal();
  }

  /** One for all: a sender without a right signature does not learn which sources there are. */
  private refusal(): Problem {
    return this.sources.someUnread
      ? new Problem('unavailable', 'This replica cannot verify the signature; another one can.', {
          retryAfterSeconds: ELSEWHERE_SECONDS,
        })
      : new Problem('signature-invalid', 'No source takes this signature at this address.');
  }

  private log(
    silence: Silence,
    line: Readonly<{ msg: string; organization: string; source: string; reason?: string }>,
  ): void {
    silence.since += 1;
    const now = performance.now();
    if (now - silence.loggedAt < SILENCE_MS) return;
    this.logger.warn({ ...line, refused: silence.since });
    silence.loggedAt = now;
    silence.since = 0;
  }
}

/** What a stranger may have made up is repeated only when it could be a name that an operator gave. */
function loggable(text: string): string {
  return SLUG.test(text) ? text : '(not a slug)';
}
