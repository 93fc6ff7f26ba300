import { newId } from '../../../kernel/identifier';
import type { AttemptOutcome } from '../client/finance-client';
import type { CallResult, Finding } from './call';
import type { CallState } from './call-machine';
import { afterReadBack, afterOutcome, type StoredCall, type Try, storedResult } from './call-states';

const NOW = new Date('2026-03-10T15:00:00Z');
const LATER = new Date('2026-03-10T15:05:00Z');
const MOMENTS = {
  now: NOW,
  retryAt: new Date('2026-03-10T15:00:02Z'),
  settledAt: new Date('2026-03-10T15:00:30Z'),
};
const [ID, OTHER] = [newId(), newId()];

function call(fields: Partial<StoredCall> = {}): StoredCall {
  return {
    id: newId(),
    organizationId: newId(),
    effectKey: 'customer/1',
    part: 1,
    content: { operation: 'customers.create', body: { name: 'Lia' } },
    evidence: {},
    state: 'sending',
    attempts: 1,
    nextAt: LATER,
    reconcileAttempts: 0,
    abandonedFrom: null,
    reason: 'because',
    output: {},
    deliveryId: null,
    updatedAt: NOW,
    ...fields,
  };
}

const succeeded: AttemptOutcome = { kind: 'succeeded', status: 200, value: ID };
const refused: AttemptOutcome = { kind: 'refused', problem: { status: 422, detail: 'no such name' } };
const notArrived: AttemptOutcome = { kind: 'not-sent', reason: 'connection refused' };
const unknown: AttemptOutcome = { kind: 'unknown', reason: 'no reply' };

describe('whoever asks for a call', () => {
  it.each<[string, Partial<StoredCall>, CallResult['state'] | 'theirs to send']>([
    ['planned and due', { state: 'planned', nextAt: NOW }, 'theirs to send'],
    ['planned for later', { state: 'planned' }, 'planned'],
    ['planned and abandoned', { state: 'abandoned', nextAt: NOW, abandonedFrom: 'planned' }, 'abandoned'],
    ['on its way', { state: 'sending' }, 'sending'],
    ['lost', { state: 'sending', nextAt: new Date(0) }, 'sending'],
    ['applied', { state: 'applied' }, 'applied'],
    ['applied though abandoned', { state: 'applied', abandonedFrom: 'unknown' }, 'applied'],
    ['rejected', { state: 'rejected' }, 'theirs to send'],
    ['unknown', { state: 'unknown' }, 'unknown'],
    ['left to a person', { state: 'needs-review' }, 'needs-review'],
    ['left to a person and abandoned', { state: 'abandoned', abandonedFrom: 'unknown' }, 'abandoned'],
    ['left out', { state: 'abandoned', abandonedFrom: 'rejected' }, 'abandoned'],
    ['left out and read back', { state: 'unknown', abandonedFrom: 'rejected' }, 'abandoned'],
  ])('gets the result of one that is %s', (_name, fields, expected) => {
    expect(storedResult(call(fields), NOW)?.state ?? 'theirs to send').toBe(expected);
  });

  it('is never asked to come back at once', () => {
    const result = storedResult(call({ state: 'unknown', nextAt: NOW }), NOW);
    expect(result).toMatchObject({ until: new Date(NOW.getTime() + 1_000) });
  });
});

describe('an outcome', () => {
  type Row = [string, Partial<StoredCall>, AttemptOutcome, CallState | 'nothing'];

  const lost = { state: 'unknown', nextAt: NOW } as const;
  const parked = { state: 'needs-review', nextAt: null } as const;
  const abandoned = { state: 'abandoned', abandonedFrom: 'unknown', nextAt: null } as const;
  const taken = { state: 'applied', output: { id: ID }, nextAt: null } as const;

  it.each<Row>([
    ['succeeded, in time', {}, succeeded, 'applied'],
    ['refused, in time', {}, refused, 'rejected'],
    ['not arrived, in time', {}, notArrived, 'planned'],
    ['unknown, in time', {}, unknown, 'unknown'],
    ['succeeded, taken for lost', lost, succeeded, 'applied'],
    ['refused, taken for lost', lost, refused, 'rejected'],
    ['not arrived, taken for lost', lost, notArrived, 'planned'],
    ['unknown, taken for lost', lost, unknown, 'nothing'],
    ['succeeded, parked', parked, succeeded, 'applied'],
    ['refused, parked', parked, refused, 'rejected'],
    ['succeeded, abandoned', abandoned, succeeded, 'applied'],
    ['refused, abandoned', abandoned, refused, 'nothing'],
    ['unknown, left out', { ...abandoned, abandonedFrom: 'rejected' }, unknown, 'unknown'],
    ['succeeded, to be sent again', { state: 'planned' }, succeeded, 'applied'],
    ['refused, to be sent again', { state: 'planned' }, refused, 'rejected'],
    ['unknown, to be sent again', { state: 'planned' }, unknown, 'unknown'],
    ['succeeded, given up', { state: 'rejected', nextAt: null }, succeeded, 'applied'],
    ['unknown, given up', { state: 'rejected', nextAt: null }, unknown, 'unknown'],
    ['succeeded, found already', taken, succeeded, 'nothing'],
    ['unknown, found already', taken, unknown, 'nothing'],
  ])('%s', (_name, fields, outcome, expected) => {
    const { change, alarm } = afterOutcome(call(fields), [{ number: 1, outcome: null }], 1, outcome, MOMENTS);
    expect(alarm).toBeUndefined();
    if (expected === 'nothing') expect(change).toBeUndefined();
    else expect(change).toMatchObject({ state: expected });
  });

  it('says when the call may be tried again, and when it may be read back', () => {
    const tries = [{ number: 1, outcome: null }];
    expect(afterOutcome(call(), tries, 1, notArrived, MOMENTS).change?.nextAt).toBe(MOMENTS.retryAt);
    expect(afterOutcome(call(), tries, 1, unknown, MOMENTS).change?.nextAt).toBe(MOMENTS.settledAt);
  });

  it.each<[string, Try['outcome'], CallState]>([
    ['is not known', null, 'needs-review'],
    ['came to an unknown outcome', 'unknown', 'needs-review'],
    ['succeeded, too', 'succeeded', 'needs-review'],
    ['was refused', 'refused', 'applied'],
    ['did not arrive', 'not-sent', 'applied'],
  ])(
    'of an earlier attempt that succeeded late is applied unless the later one %s',
    (_name, later, expected) => {
      const tries: Try[] = [
        { number: 1, outcome: null },
        { number: 2, outcome: later },
      ];
      const { change, alarm } = afterOutcome(call({ attempts: 2 }), tries, 1, succeeded, MOMENTS);
      if (expected === 'needs-review') {
        expect(change).toMatchObject({ state: expected, nextAt: null, output: { id: ID } });
        expect(alarm).toContain('attempt 1 took effect');
      } else expect(change).toMatchObject({ state: expected });
    },
  );

  it('of a later attempt leaves the call to a person when an earlier one succeeded, and lifts that when it surely did nothing', () => {
    const held = call({ attempts: 2, state: 'needs-review', output: { id: OTHER } });
    const tries: Try[] = [
      { number: 1, outcome: 'succeeded' },
      { number: 2, outcome: null },
    ];
    expect(afterOutcome(held, tries, 2, succeeded, MOMENTS)).toMatchObject({
      change: { state: 'needs-review' },
      alarm: expect.any(String),
    });
    expect(afterOutcome(held, tries, 2, notArrived, MOMENTS).change).toMatchObject({
      state: 'applied',
      output: { id: OTHER },
    });
  });

  it('of an earlier attempt that did not succeed changes nothing', () => {
    const tries: Try[] = [
      { number: 1, outcome: null },
      { number: 2, outcome: null },
    ];
    for (const outcome of [refused, notArrived, unknown]) {
      expect(afterOutcome(call({ attempts: 2 }), tries, 1, outcome, MOMENTS)).toEqual({});
    }
  });

  it('raises an alarm when another record was taken for the call’s, or none is there', () => {
    const found = call({ ...taken, output: { id: OTHER } });
    const tries = [{ number: 1, outcome: null }];
    expect(afterOutcome(found, tries, 1, succeeded, MOMENTS).alarm).toContain(OTHER);
    expect(afterOutcome(found, tries, 1, refused, MOMENTS).alarm).toContain('surely not');
  });

  it('counts a removal as applied when what an unknown attempt may have removed is gone', () => {
    const removal = call({ content: { operation: 'payments.remove' }, attempts: 2 });
    const gone: AttemptOutcome = { kind: 'refused', problem: { status: 404 } };
    const after = (before: Try['outcome']): unknown =>
      afterOutcome(
        removal,
        [
          { number: 1, outcome: before },
          { number: 2, outcome: null },
        ],
        2,
        gone,
        MOMENTS,
      ).change?.state;
    expect([after('unknown'), after(null), after('not-sent')]).toEqual(['applied', 'applied', 'rejected']);
  });
});

describe('what reading back says', () => {
  const readBack = (finding: Finding, fields: Partial<StoredCall> = {}) =>
    afterReadBack(call({ state: 'unknown', ...fields }), finding, NOW, 0);
  const reason = 'it is listed';

  it.each<[string, Finding, object]>([
    ['in effect', { state: 'applied', output: { id: ID }, reason }, { state: 'applied', output: { id: ID } }],
    ['not in effect', { state: 'planned', reason }, { state: 'planned', nextAt: NOW }],
    ['undecided', { state: 'needs-review', reason }, { state: 'needs-review', nextAt: null }],
    ['unreadable', { state: 'unknown', reason }, { state: 'unknown', reconcileAttempts: 1 }],
  ])('%s', (_name, finding, expected) => {
    expect(readBack(finding)).toMatchObject({ ...expected, reason });
  });

  it('does not send a request to /v1 again', () => {
    expect(readBack({ state: 'planned', reason }, { effectKey: 'v1/1' })).toMatchObject({
      state: 'rejected',
    });
  });

  it('is put off until the service is not left alone any more, which is no attempt', () => {
    const finding: Finding = { state: 'unknown', reason };
    const change = afterReadBack(call({ state: 'unknown', reconcileAttempts: 5 }), finding, NOW, 0, 800);
    expect(change).toEqual({
      state: 'unknown',
      nextAt: new Date(NOW.getTime() + 800),
      reason,
    });
  });

  it('is asked for again ever more rarely while the service cannot be read', () => {
    const waits = [0, 1, 5, 40].map((reconcileAttempts) => {
      const { nextAt } = readBack({ state: 'unknown', reason }, { reconcileAttempts });
      return nextAt!.getTime() - NOW.getTime();
    });
    expect(waits).toEqual([5_000, 10_000, 120_000, 120_000]);
  });
});
