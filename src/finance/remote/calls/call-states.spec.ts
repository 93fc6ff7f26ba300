import { newId } from '../../../kernel/identifier';
import type { WireOutcome } from '../client/finance-client';
import type { CallResult, Finding } from './call';
import { afterLook, afterOutcome, type CallState, type StoredCall, type Try, whenAsked } from './call-states';

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
    state: 'intended',
    attempts: 1,
    nextAt: LATER,
    looks: 0,
    parkedAt: null,
    abandonedAt: null,
    reason: 'because',
    output: {},
    deliveryId: null,
    updatedAt: NOW,
    ...fields,
  };
}

const succeeded: WireOutcome = { kind: 'succeeded', status: 200, value: ID };
const refused: WireOutcome = { kind: 'refused', problem: { status: 422, detail: 'no such name' } };
const notArrived: WireOutcome = { kind: 'not-arrived', reason: 'connection refused' };
const unknown: WireOutcome = { kind: 'unknown', reason: 'no reply' };

describe('whoever asks for a call', () => {
  it.each<[string, Partial<StoredCall>, CallResult['state'] | 'theirs to send']>([
    ['planned and due', { state: 'planned', nextAt: NOW }, 'theirs to send'],
    ['planned for later', { state: 'planned' }, 'not-arrived'],
    ['planned and abandoned', { state: 'planned', nextAt: NOW, abandonedAt: NOW }, 'abandoned'],
    ['on its way', { state: 'intended' }, 'unknown'],
    ['lost', { state: 'intended', nextAt: new Date(0) }, 'unknown'],
    ['applied', { state: 'applied' }, 'applied'],
    ['applied though abandoned', { state: 'applied', abandonedAt: NOW }, 'applied'],
    ['refused', { state: 'refused' }, 'theirs to send'],
    ['unknown', { state: 'unknown' }, 'unknown'],
    ['parked', { state: 'unknown', parkedAt: NOW }, 'parked'],
    ['parked and abandoned', { state: 'unknown', parkedAt: NOW, abandonedAt: NOW }, 'abandoned'],
  ])('is told of one that is %s', (_name, fields, expected) => {
    expect(whenAsked(call(fields), NOW)?.state ?? 'theirs to send').toBe(expected);
  });

  it('is never told to ask again at once', () => {
    const told = whenAsked(call({ state: 'unknown', nextAt: NOW }), NOW);
    expect(told).toMatchObject({ until: new Date(NOW.getTime() + 1_000) });
  });
});

describe('an outcome', () => {
  type Row = [string, Partial<StoredCall>, WireOutcome, { state: CallState; parked?: boolean } | 'nothing'];

  const lost = { state: 'unknown', nextAt: NOW } as const;
  const parked = { state: 'unknown', parkedAt: NOW, nextAt: null } as const;
  const taken = { state: 'applied', output: { id: ID }, nextAt: null } as const;

  it.each<Row>([
    ['succeeded, in time', {}, succeeded, { state: 'applied' }],
    ['refused, in time', {}, refused, { state: 'refused' }],
    ['not arrived, in time', {}, notArrived, { state: 'planned' }],
    ['unknown, in time', {}, unknown, { state: 'unknown' }],
    ['succeeded, taken for lost', lost, succeeded, { state: 'applied' }],
    ['refused, taken for lost', lost, refused, { state: 'refused' }],
    ['not arrived, taken for lost', lost, notArrived, { state: 'planned' }],
    ['unknown, taken for lost', lost, unknown, 'nothing'],
    ['succeeded, parked', parked, succeeded, { state: 'applied' }],
    ['refused, parked', parked, refused, { state: 'refused' }],
    ['succeeded, abandoned', { ...parked, abandonedAt: NOW }, succeeded, { state: 'applied' }],
    ['refused, abandoned', { ...parked, abandonedAt: NOW }, refused, 'nothing'],
    ['succeeded, to be sent again', { state: 'planned' }, succeeded, { state: 'applied' }],
    ['refused, to be sent again', { state: 'planned' }, refused, { state: 'refused' }],
    ['unknown, to be sent again', { state: 'planned' }, unknown, { state: 'unknown' }],
    ['succeeded, given up', { state: 'refused', nextAt: null }, succeeded, { state: 'applied' }],
    ['unknown, given up', { state: 'refused', nextAt: null }, unknown, { state: 'unknown' }],
    ['succeeded, found already', taken, succeeded, 'nothing'],
    ['unknown, found already', taken, unknown, 'nothing'],
  ])('%s', (_name, fields, outcome, expected) => {
    const { change, alarm } = afterOutcome(call(fields), [{ number: 1, outcome: null }], 1, outcome, MOMENTS);
    expect(alarm).toBeUndefined();
    if (expected === 'nothing') expect(change).toBeUndefined();
    else expect(change).toMatchObject({ state: expected.state, parkedAt: null });
  });

  it('says when the call may be tried again, and when it may be looked for', () => {
    const tries = [{ number: 1, outcome: null }];
    expect(afterOutcome(call(), tries, 1, notArrived, MOMENTS).change?.nextAt).toBe(MOMENTS.retryAt);
    expect(afterOutcome(call(), tries, 1, unknown, MOMENTS).change?.nextAt).toBe(MOMENTS.settledAt);
  });

  it.each<[string, Try['outcome'], 'parked' | CallState]>([
    ['is not known', null, 'parked'],
    ['came to an unknown outcome', 'unknown', 'parked'],
    ['succeeded, too', 'succeeded', 'parked'],
    ['was refused', 'refused', 'applied'],
    ['did not arrive', 'not-arrived', 'applied'],
  ])(
    'of an earlier attempt that succeeded late is applied unless the later one %s',
    (_name, later, expected) => {
      const tries: Try[] = [
        { number: 1, outcome: null },
        { number: 2, outcome: later },
      ];
      const { change, alarm } = afterOutcome(call({ attempts: 2 }), tries, 1, succeeded, MOMENTS);
      if (expected === 'parked') {
        expect(change).toMatchObject({ state: 'unknown', parkedAt: NOW, nextAt: null, output: { id: ID } });
        expect(alarm).toContain('attempt 1 took effect');
      } else expect(change).toMatchObject({ state: expected });
    },
  );

  it('of a later attempt parks the call when an earlier one succeeded, and lifts that when it surely did nothing', () => {
    const held = call({ attempts: 2, state: 'unknown', parkedAt: NOW, output: { id: OTHER } });
    const tries: Try[] = [
      { number: 1, outcome: 'succeeded' },
      { number: 2, outcome: null },
    ];
    expect(afterOutcome(held, tries, 2, succeeded, MOMENTS)).toMatchObject({
      change: { state: 'unknown', parkedAt: NOW },
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
    const gone: WireOutcome = { kind: 'refused', problem: { status: 404 } };
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
    expect([after('unknown'), after(null), after('not-arrived')]).toEqual(['applied', 'applied', 'refused']);
  });
});

describe('what reading back says', () => {
  const look = (finding: Finding, fields: Partial<StoredCall> = {}) =>
    afterLook(call({ state: 'unknown', ...fields }), finding, NOW, 0);
  const because = 'it is listed';

  it.each<[Finding['verdict'], Finding, object]>([
    [
      'in-effect',
      { verdict: 'in-effect', output: { id: ID }, because },
      { state: 'applied', output: { id: ID } },
    ],
    ['repeatable', { verdict: 'repeatable', because }, { state: 'planned', nextAt: NOW }],
    ['doubtful', { verdict: 'doubtful', because }, { state: 'unknown', parkedAt: NOW, nextAt: null }],
    ['unreadable', { verdict: 'unreadable', because }, { state: 'unknown', looks: 1 }],
  ])('%s', (_verdict, finding, expected) => {
    expect(look(finding)).toMatchObject({ ...expected, reason: because });
  });

  it('does not send a request to /v1 again', () => {
    expect(look({ verdict: 'repeatable', because }, { effectKey: 'v1/1' })).toMatchObject({
      state: 'refused',
    });
  });

  it('is put off until the service is not left alone any more, which is no look', () => {
    const finding: Finding = { verdict: 'unreadable', because };
    const change = afterLook(call({ state: 'unknown', looks: 5 }), finding, NOW, 0, 800);
    expect(change).toEqual({
      state: 'unknown',
      nextAt: new Date(NOW.getTime() + 800),
      reason: because,
    });
  });

  it('is asked for again ever more rarely while the service cannot be read', () => {
    const waits = [0, 1, 5, 40].map((looks) => {
      const { nextAt } = look({ verdict: 'unreadable', because }, { looks });
      return nextAt!.getTime() - NOW.getTime();
    });
    expect(waits).toEqual([5_000, 10_000, 120_000, 120_000]);
  });
});
