import { OUTCOME_TABLE, reasonOf, rowOf, type ResponseFacts, type OutcomeKind } from './outcomes';

const unsent = (cause: string): ResponseFacts => ({ stage: 'unsent', cause });
const unanswered = (cause: string): ResponseFacts => ({ stage: 'unanswered', cause });
const answered = (
  status: number,
  {
    retryAfter = false,
    garbled = false,
    readable = false,
  }: { retryAfter?: boolean; garbled?: boolean; readable?: boolean } = {},
): ResponseFacts => ({ stage: 'answered', status, retryAfter, garbled, readable });

const readable = { readable: true };
const retryAfter = { retryAfter: true };

type Case = readonly [ResponseFacts, OutcomeKind, OutcomeKind, 'down' | 'up'];

const CASES: readonly Case[] = [
  [unsent('PONTE_WITHHELD'), 'not-sent', 'not-sent', 'up'],
  [unsent('PONTE_ADDRESS'), 'not-sent', 'not-sent', 'down'],
  [unsent('ECONNREFUSED'), 'not-sent', 'not-sent', 'down'],
  [unsent('ENOTFOUND'), 'not-sent', 'not-sent', 'down'],
  [unsent('EAI_AGAIN'), 'not-sent', 'not-sent', 'down'],
  [unsent('PONTE_CONNECT_TIMEOUT'), 'not-sent', 'not-sent', 'down'],
  [unsent('PONTE_TOTAL_TIMEOUT'), 'not-sent', 'not-sent', 'down'],
  [unsent('CERT_HAS_EXPIRED'), 'not-sent', 'not-sent', 'down'],
  [unsent('ECONNRESET'), 'not-sent', 'not-sent', 'down'],
  [unanswered('PONTE_HEADERS_TIMEOUT'), 'unknown', 'unknown', 'down'],
  [unanswered('PONTE_TOTAL_TIMEOUT'), 'unknown', 'unknown', 'down'],
  [unanswered('ECONNRESET'), 'unknown', 'unknown', 'down'],
  [unanswered('EPIPE'), 'unknown', 'unknown', 'down'],
  ...[200, 201, 203, 204, 205].flatMap((status): Case[] => [
    [answered(status, readable), 'succeeded', 'succeeded', 'up'],
    [answered(status), 'unknown', 'unknown', 'up'],
  ]),
  ...[202, 206, 207, 226, 299].map((status): Case => [
    answered(status, readable),
    'unknown',
    'unknown',
    'up',
  ]),
  ...[300, 301, 302, 303, 304, 307, 308].map((status): Case => [
    answered(status),
    'unknown',
    'unknown',
    'up',
  ]),
  [answered(429), 'not-sent', 'not-sent', 'up'],
  [answered(429, retryAfter), 'not-sent', 'not-sent', 'up'],
  [answered(425), 'not-sent', 'not-sent', 'up'],
  ...[
    400, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 426, 428,
    431, 451,
  ].map((status): Case => [answered(status), 'refused', 'refused', 'up']),
  [answered(401), 'not-sent', 'refused', 'down'],
  [answered(409, { garbled: true }), 'not-sent', 'refused', 'up'],
  [answered(422, { garbled: true }), 'refused', 'refused', 'up'],
  ...[406, 418].map((status): Case => [answered(status), 'unknown', 'refused', 'up']),
  ...[408, 419, 444, 460, 499].map((status): Case => [
    answered(status, retryAfter),
    'unknown',
    'unknown',
    'up',
  ]),
  [answered(503, retryAfter), 'not-sent', 'not-sent', 'up'],
  [answered(503), 'unknown', 'unknown', 'down'],
  [answered(501, retryAfter), 'unknown', 'refused', 'up'],
  ...[500, 502, 504, 505, 520, 599].map((status): Case => [
    answered(status, retryAfter),
    'unknown',
    'unknown',
    'down',
  ]),
  [answered(101), 'unknown', 'unknown', 'up'],
  [answered(700), 'unknown', 'unknown', 'up'],
];

describe('the table of outcomes', () => {
  it.each(CASES)('takes %j for %s when written and %s when read: %s', (facts, write, read, sign) => {
    expect(rowOf(facts)).toMatchObject({ write, read, down: sign === 'down' });
  });

  it('has no row that is never met here, and says why of each', () => {
    const met = new Set(CASES.map(([facts]) => rowOf(facts)));
    expect(OUTCOME_TABLE.filter((row) => !met.has(row)).map(({ when }) => when)).toEqual([]);
    for (const { why } of OUTCOME_TABLE) expect(why).toMatch(/^\S.{20,}\.$/s);
  });

  it('never lets a write pass for repeatable once a byte may have left and no status said so', () => {
    for (const cause of ['ECONNRESET', 'ECONNREFUSED', 'PONTE_WITHHELD', 'ENOTFOUND', 'ANYTHING'])
      expect(rowOf(unanswered(cause)).write).toBe('unknown');
  });

  it.each([
    [unsent('ECONNREFUSED'), 'connection refused (ECONNREFUSED)'],
    [unsent('PONTE_CONNECT_TIMEOUT'), 'no connection in time'],
    [answered(429), '429'],
    [answered(302), 'the service redirects (302)'],
  ])('gives a reason for %j', (facts, reason) => {
    expect(reasonOf(rowOf(facts), facts)).toBe(reason);
  });
});
