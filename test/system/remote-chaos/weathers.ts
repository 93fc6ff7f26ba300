import type { Fault, FaultKind } from '../../faulty-finance/fault';
import type { Weather } from '../../faulty-finance/weather';
import { Random } from '../../support/random';

/** How long Ponte waits in these tests, in milliseconds. */
export const TIMEOUTS = { connectMs: 500, headersMs: 500, totalMs: 700 };

/** Where nothing goes wrong at the service, no answer is too late, however busy the machine is. */
export const PATIENT_TIMEOUTS = { connectMs: 5_000, headersMs: 5_000, totalMs: 5_000 };

/** Longer than any effect comes late after Ponte has stopped waiting, by a lot. */
export const SETTLE_MS = 2_000;

/** Effects come at most this many milliseconds late. */
const LATEST_EFFECT_MS = 1_000;

type Maker = (random: Random) => Fault;

const FAULTS: Readonly<Record<Exclude<FaultKind, 'none'>, Maker>> = {
  reset: () => ({ kind: 'reset' }),
  // On both sides of what Ponte waits for.
  'late-answer': (random) => ({ kind: 'late-answer', afterMs: random.between(50, 1_000) }),
  'late-effect': (random) => ({ kind: 'late-effect', afterMs: random.between(50, LATEST_EFFECT_MS) }),
  'cut-before-headers': () => ({ kind: 'cut-before-headers' }),
  'cut-within-answer': () => ({ kind: 'cut-within-answer' }),
  'error-500': (random) => ({ kind: 'error-500', applied: random.next() < 0.5 }),
  busy: (random) => ({
    kind: 'busy',
    status: random.next() < 0.5 ? 429 : 503,
    ...(random.next() < 0.5 && { retryAfter: random.between(0, 1) }),
  }),
  garbage: (random) => ({ kind: 'garbage', applied: random.next() < 0.5 }),
  'double-body': () => ({ kind: 'double-body' }),
  'double-answer': () => ({ kind: 'double-answer' }),
  'refuse-others': (random) => ({ kind: 'refuse-others', forMs: random.between(50, 500) }),
  'reset-others': (random) => ({ kind: 'reset-others', forMs: random.between(50, 500) }),
  down: (random) => ({ kind: 'down', forMs: random.between(50, 1_000) }),
};

/** Every way in which something can go wrong. */
export const FAULT_KINDS = Object.keys(FAULTS) as (keyof typeof FAULTS)[];

/** A mixture of some faults, often or seldom. */
export function weatherOf(seed: number): Weather {
  const random = new Random(seed);
  const faults = Array.from({ length: random.between(2, 6) }, () => {
    const kind = FAULT_KINDS[random.between(0, FAULT_KINDS.length - 1)] ?? 'reset';
    return FAULTS[kind](random);
  });
  return { seed, share: random.between(10, 45) / 100, faults };
}

/** Nothing but these. */
export function onlyWith(seed: number, share: number, ...faults: Fault[]): Weather {
  return { seed, share, faults };
}
