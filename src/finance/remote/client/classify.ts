import type { SendResult } from './send-request';
import type { AttemptOutcome } from './finance-client';
import { namedRecords } from './named-records';
import { reasonOf, rowOf, type ResponseFacts } from './outcomes';
import { problemOf } from './remote-problem';
import { contentOf } from './reply-content';
import { valueOf, type Expected, type ReadValue } from './reply-values';
import { retryAfterMs } from './retry-after';

export interface ClassifyOptions {
  readonly expected: Expected;
  readonly isWrite: boolean;
  /** Blotted out of what the service says. */
  readonly apiKey: string;
  /** What dates in `Retry-After` are reckoned from. */
  readonly now: Date;
}

/**
 * What a request means, by the table of outcomes.
 * @returns with `down`, whether it speaks for the service being down
 */
export function classify(ended: SendResult, by: ClassifyOptions): { outcome: AttemptOutcome; down: boolean } {
  const read = readValue(ended, by.expected);
  const retryAfter =
    ended.stage === 'answered' ? retryAfterMs(ended.headers['retry-after'], by.now) : undefined;
  const facts = factsOf(ended, retryAfter !== undefined, 'value' in read);
  const row = rowOf(facts);
  const kind = by.isWrite ? row.write : row.read;
  const reason = reasonOf(row, facts);
  if (ended.stage !== 'answered') {
    if (kind === 'not-sent' || kind === 'unknown') return { outcome: { kind, reason }, down: row.down };
    throw new Error('what was not answered can neither have succeeded nor been refused');
  }
  return {
    outcome: answeredOutcome(kind, reason, ended, { read, retryAfter, apiKey: by.apiKey }),
    down: row.down,
  };
}

function answeredOutcome(
  kind: AttemptOutcome['kind'],
  reason: string,
  { status, body, headers }: Extract<SendResult, { stage: 'answered' }>,
  { read, retryAfter, apiKey }: { read: ReadValue; retryAfter: number | undefined; apiKey: string },
): AttemptOutcome {
  switch (kind) {
    case 'succeeded':
      if ('value' in read) return { kind, status, value: read.value };
      throw new Error('a reply that was not read cannot have succeeded');
    case 'refused': {
      const content = contentOf(body ?? Buffer.alloc(0), headers['content-type']);
      const named = status === 409 ? namedRecords(content, headers, apiKey) : [];
      return { kind, problem: { ...problemOf(status, content, apiKey), ...(named.length > 0 && { named }) } };
    }
    case 'not-sent':
      return {
        kind,
        reason,
        ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
        ...(status === 401 && { keyRefused: true }),
      };
    case 'unknown':
      return {
        kind,
        reason: status < 300 && 'unreadable' in read ? `${reason}: ${read.unreadable}` : reason,
        status,
      };
  }
}

function readValue(ended: SendResult, expected: Expected): ReadValue {
  if (ended.stage !== 'answered' || ended.status >= 300) return { unreadable: 'no success' };
  if (ended.body === undefined) return { unreadable: 'it broke off, is too long or cannot be unpacked' };
  return valueOf(expected, contentOf(ended.body, ended.headers['content-type']));
}

function factsOf(ended: SendResult, retryAfter: boolean, readable: boolean): ResponseFacts {
  if (ended.stage !== 'answered') return ended;
  const { status, body } = ended;
  const garbled = body === undefined || contentOf(body, ended.headers['content-type']).form === 'unreadable';
  return { stage: 'answered', status, retryAfter, garbled, readable };
}
