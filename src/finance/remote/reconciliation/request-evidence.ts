import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import type { OperationId } from '../../api/operations/operations';
import type { FinanceConnection } from '../client/connection';
import type { CallContent, Evidence } from '../calls/call';
import { OpenValues } from './open-values';
import { NotYetShown, RemoteReads, Unanswered, Unreadable } from '../reads/remote-reads';
import { expectedOf, lookingLike } from '../reads/schedule-matching';
import { filledText } from '../../../kernel/text';

type Look = (
  connection: FinanceConnection,
  organization: Organization,
  content: CallContent,
) => Promise<Evidence>;
type Body = Readonly<Record<string, unknown>>;

const NONE: Evidence = {};

/** Milliseconds that a request to `/v1` waits at most for a listing to show what was done before it, and between readings. */
const LONGEST_WAIT_MS = 5_000;
const READ_AGAIN_MS = 500;

/**
 * What has to be read before a request to `/v1` is sent, so that its effect can be recognised should its answer be
 * lost: as much as reading back asks for, and for operations that it can do something for.
 */
@Injectable()
export class RequestEvidence {
  private readonly looks: Partial<Readonly<Record<OperationId, Look>>> = {
    'schedules.createCredit': (...about) => this.alikeSchedules(...about),
    'receipts.registerForSchedule': (...about) => this.openValue(...about),
    'accounts.create': (...about) => this.accountsOfTheName(...about),
  };

  constructor(
    private readonly reads: RemoteReads,
    private readonly open: OpenValues,
  ) {}

  /**
   * @returns nothing where the service answers and what it says is of no use: it will refuse the request, too, or
   *   a person has to look should the outcome be unknown
   * @throws Unanswered when the service did not answer
   */
  async of(
    connection: FinanceConnection,
    organization: Organization,
    content: CallContent,
  ): Promise<Evidence> {
    try {
      return (await this.looks[content.operation]?.(connection, organization, content)) ?? NONE;
    } catch (error) {
      if (error instanceof Unreadable && !(error instanceof Unanswered)) return NONE;
      throw error;
    }
  }

  /** Everything is read, as reading back does: what a filter hides now would look new afterwards. */
  private async alikeSchedules(
    connection: FinanceConnection,
    organization: Organization,
    content: CallContent,
  ): Promise<Evidence> {
    const body: Body = { ...content.body };
    const expected = expectedOf(body, organization);
    const customer = filledText(body['stakeholderId']);
    if (!expected || customer === undefined) return NONE;
    const read = await this.reads.schedules(connection, organization, customer);
    return { before: lookingLike(read, expected, filledText(body['reference'])).map(({ id }) => id) };
  }

  /** A listing that does not show yet what Ponte did itself is waited for, as long as whoever asked may wait. */
  private async openValue(
    connection: FinanceConnection,
    organization: Organization,
    { path }: CallContent,
  ): Promise<Evidence> {
    const id = path?.['ScheduleId']?.toLowerCase() ?? '';
    const started = performance.now();
    for (;;) {
      try {
        const [open] = await this.open.of(connection, organization, [id]);
        return open?.evidence ?? NONE;
      } catch (error) {
        if (error instanceof Problem) return NONE;
        if (!(error instanceof NotYetShown)) throw error;
        if (performance.now() - started > LONGEST_WAIT_MS) return NONE;
        await pause(READ_AGAIN_MS);
      }
    }
  }

  private async accountsOfTheName(
    connection: FinanceConnection,
    organization: Organization,
    content: CallContent,
  ): Promise<Evidence> {
    const name = filledText((content.body as Body | undefined)?.['name']);
    if (name === undefined) return NONE;
    const read = await this.reads.accounts(connection, organization, name);
    return { before: read.map(({ id }) => id) };
  }
}
