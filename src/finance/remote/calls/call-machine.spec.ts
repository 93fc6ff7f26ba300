import { type CallEvent, type CallState, next, transition } from './call-machine';

const STATES: CallState[] = [
  'planned',
  'sending',
  'applied',
  'rejected',
  'unknown',
  'needs-review',
  'abandoned',
];

/** The state after each event, in the order of {@link STATES}; `-`: the event changes nothing, or cannot be. */
const AFTER: [CallEvent, string][] = [
  //               planned      sending      applied      rejected     unknown      needs-review abandoned
  ['sent', 'sending      -            -            sending      -            -            -'],
  ['sender-lost', '-            unknown      -            -            -            -            -'],
  ['succeeded', 'applied      applied      applied      applied      applied      applied      applied'],
  ['refused', 'rejected     rejected     -            -            rejected     rejected     -'],
  ['not-sent', '-            planned      -            -            planned      planned      -'],
  ['unknown', 'unknown      unknown      -            unknown      -            -            -'],
  ['doubled', 'needs-review needs-review needs-review needs-review needs-review needs-review abandoned'],
  ['recovered', 'unknown      -            -            unknown      -            -            -'],
  ['found', '-            -            -            -            applied      -            -'],
  ['repeatable', '-            -            -            -            planned      planned      -'],
  ['returned', '-            -            -            -            rejected     rejected     -'],
  ['undecided', '-            -            -            needs-review needs-review -            -'],
  ['adopted', '-            -            -            applied      applied      applied      applied'],
  ['given-up', 'abandoned    -            -            -            abandoned    abandoned    -'],
  ['replanned', 'planned      -            -            planned      -            -            planned'],
  ['left-out', 'abandoned    -            -            abandoned    -            -            abandoned'],
];

it.each(AFTER)('%s moves each state to its next', (event, row) => {
  expect(STATES.map((state) => transition(state, event) ?? '-')).toEqual(row.split(/ +/));
});

it('never sends again what is, or may be, in effect', () => {
  const sendable = STATES.filter((state) => transition(state, 'sent') === 'sending');
  expect(sendable).toEqual(['planned', 'rejected']);
  // Only an outcome, reading back or a person makes what may be in effect sendable.
  const ways = AFTER.map(([event]) => event).filter((event) =>
    (['sending', 'unknown', 'needs-review', 'applied'] as const).some((state) =>
      sendable.includes(transition(state, event) ?? state),
    ),
  );
  expect(ways).toEqual(['refused', 'not-sent', 'repeatable', 'returned']);
});

it('refuses an event that cannot be', () => {
  expect(next('unknown', 'found')).toBe('applied');
  expect(() => next('applied', 'repeatable')).toThrow('a call that is applied cannot be repeatable');
});
