import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { type ImportCounts, Imports } from '../../deliveries/import/imports';
import { type Line, linesOf } from '../../deliveries/import/lines';
import { SourceLookup } from '../../deliveries/source-lookup';
import type { Actor } from '../../http/caller';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';

/** Lines of one request. */
const MOST_LINES = 10_000;

/** How lines are meant. */
interface ImportOptions {
  /** The provider's, where lines do not name theirs. */
  topic: string | undefined;
  /** Number of the first line in its file. */
  first: number;
  reason: string | undefined;
}

/** Imports into a source, with the audit log. */
@Injectable()
export class SourceImports {
  constructor(
    private readonly sources: SourceLookup,
    private readonly imports: Imports,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** @throws Problem not-found, body-too-large, and what {@link Imports} says */
  async take(
    actor: Actor,
    slug: string,
    body: Buffer,
    { topic, first, reason }: ImportOptions,
  ): Promise<ImportCounts> {
    const source = await this.sources.find(actor.organization.id, slug);
    if (!source) throw new Problem('not-found', 'There is no such source');
    const refusal = this.imports.refusal(source, topic);
    if (refusal) throw refusal;
    const lines = bounded(linesOf(body, first));
    const named = { first, lines: lines.length, sha256: createHash('sha256').update(body).digest('hex') };
    // Before anything is stored: whatever happens then, the log says who began it, and which bytes they were.
    if (lines.length > 0)
      await this.database.transaction((tx) =>
        this.audit.record(tx, actor, {
          ...{ action: 'source.import', subject: slug, reason: reason ?? null },
          after: { id: source.id, ...named, ...(topic !== undefined && { topic }) },
        }),
      );
    return this.imports.take(source, lines, topic);
  }
}

/** @throws Problem malformed-request */
export function firstLine(text: unknown): number {
  if (text === undefined) return 1;
  if (typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Problem('malformed-request', 'line must be a whole number from 1');
}

function bounded(lines: Iterable<Line>): Line[] {
  const all: Line[] = [];
  for (const line of lines) {
    if (all.length >= MOST_LINES)
      throw new Problem('body-too-large', `The body has more than ${MOST_LINES} lines`);
    all.push(line);
  }
  return all;
}
