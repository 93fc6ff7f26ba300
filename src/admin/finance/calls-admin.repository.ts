import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { ListPage } from '../../kernel/list-page';
import type { Organization } from '../../kernel/organization';
import { KEPT_OF_CALLS } from '../../retention/calls.repository';
import type { CallState, CallSummary, CallView } from './effects-admin.dto';

/** Of what was sent, what tells no person from another. */
const SHOWN: ReadonlySet<string> = new Set(KEPT_OF_CALLS);

const SUMMARY = {
  id: true,
  effectKey: true,
  part: true,
  operation: true,
  state: true,
  attempts: true,
  needsReviewAt: true,
  abandonedAt: true,
  nextAt: true,
  reason: true,
  output: true,
  deliveryId: true,
  createdAt: true,
} as const;

const TRY = { number: true, sentAt: true, endedAt: true, outcome: true, status: true, reply: true } as const;

/** The calls to finance services, for operators to read. */
@Injectable()
export class CallsAdminRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list({ id }: Organization, state: CallState, { limit, after }: ListPage): Promise<CallSummary[]> {
    const rows = await this.database.prisma.financeCall.findMany({
      where: { organizationId: id, state, ...(after !== undefined && { id: { lt: after } }) },
      select: SUMMARY,
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map(summaryOf);
  }

  /** With every attempt. @returns undefined when the organization has no such call */
  async get(organization: Organization, id: string): Promise<CallView | undefined> {
    const row = await this.database.prisma.financeCall.findFirst({
      where: { id, organizationId: organization.id },
      select: { ...SUMMARY, request: true, tries: { select: TRY, orderBy: { number: 'asc' } } },
    });
    if (!row) return undefined;
    const { request, tries, ...summary } = row;
    const { removedAt = null } = request as { removedAt?: string };
    return { ...summaryOf(summary), sent: sentOf(request), tries, contentRemovedAt: removedAt };
  }
}

type SummaryRow = Omit<CallSummary, 'parkedAt' | 'output'> & { needsReviewAt: Date | null; output: unknown };

/** What is given up waits for nobody. */
function summaryOf({ needsReviewAt, ...row }: SummaryRow): CallSummary {
  return { ...row, parkedAt: row.abandonedAt ? null : needsReviewAt, output: row.output as object };
}

function sentOf(request: unknown): Record<string, unknown> {
  const { path = {}, body = {} } = request as { path?: object; body?: object };
  const shown = Object.entries(body).filter(([name]) => SHOWN.has(name));
  return { ...path, ...Object.fromEntries(shown) };
}
