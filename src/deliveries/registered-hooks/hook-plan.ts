import type { HookRegistration, RegisteredHook } from '../../sources/hook-registration';

/**
 * `secret-unknown`: the provider signs with a secret that it made, and the source has none. `extra`: it leads to the source and nobody needs it. `foreign`: it leads elsewhere and Ponte did not know it as the source's; it
 * is never touched.
 */
export const HOOK_STATES = [
  ...(['fine', 'missing', 'disabled', 'wrong-address', 'wrong-topics'] as const),
  ...(['secret-unknown', 'extra', 'foreign'] as const),
] as const;

export type HookState = (typeof HOOK_STATES)[number];

/** One webhook: as it is registered, and as it has to be. */
export interface PlannedHook {
  readonly state: HookState;
  /** Absent: it is missing. */
  readonly registered?: RegisteredHook;
  /** What it is to be for: one topic or several; of one that is not touched, what it is for. */
  readonly topics: readonly string[];
  /** Whether it is to be made or changed. */
  readonly action: 'create' | 'repair' | null;
}

/** What has to be registered. */
export interface WantedHooks {
  /** Where webhooks are to be sent. */
  readonly address: string;
  /** Whether what is sent there comes to the source. */
  leadsHere(address: string): boolean;
  /** Whether it is taken there, too: with one of the source's secrets, where the address has one. */
  isTaken(address: string): boolean;
  readonly hookFor: HookRegistration['hookFor'];
  readonly topics: readonly string[];
  readonly unwanted: readonly string[];
  /** Hooks that were the source's when they were listed last, by the provider's name for them. */
  readonly known: ReadonlySet<string>;
  /** The provider makes the secret, and the source has none. */
  readonly lacksSecret: boolean;
}

/** From the best to the worst: of several hooks for one topic, the best is kept. */
const RANK: readonly HookState[] = ['fine', 'wrong-topics', 'disabled', 'wrong-address'];

/** Compares what is registered with what is wanted. Each registered hook is in the plan once, after those that are wanted. */
export function planHooks(registered: readonly RegisteredHook[], wanted: WantedHooks): PlannedHook[] {
  const isOurs = (hook: RegisteredHook): boolean =>
    wanted.leadsHere(hook.address) || wanted.known.has(hook.id);
  const ours = registered.filter(isOurs);
  const groups = wanted.hookFor === 'all-topics' ? [wanted.topics] : wanted.topics.map((topic) => [topic]);
  const planned = groups.map((topics) => planGroup(topics, ours, wanted));
  const used = new Set(planned.map(({ registered: hook }) => hook));
  const left = registered.filter((hook) => !used.has(hook));
  return [...planned, ...left.map((hook) => untouched(hook, isOurs(hook) ? 'extra' : 'foreign'))];
}

/** What is wrong, as a sentence; undefined: nothing is. */
export function problemOf(plan: readonly PlannedHook[]): string | undefined {
  const wrong = plan.filter(({ action, state }) => action !== null || state === 'secret-unknown');
  if (wrong.length === 0) return undefined;
  return wrong.map(({ state, topics }) => `${topics.join(', ')}: ${IN_WORDS[state]}`).join('; ');
}

const IN_WORDS: Readonly<Record<HookState, string>> = {
  fine: 'as it has to be',
  missing: 'no webhook is registered',
  disabled: 'the webhook is not enabled',
  'wrong-address': 'the webhook leads to another address',
  'wrong-topics': 'the webhook is for other events',
  'secret-unknown':
    'the source has no secret, so it refuses all of it: look the signing secret up at the provider and add it',
  extra: 'not needed',
  foreign: 'of somebody else',
};

function planGroup(
  topics: readonly string[],
  ours: readonly RegisteredHook[],
  wanted: WantedHooks,
): PlannedHook {
  const isFor = (hook: RegisteredHook): boolean =>
    wanted.hookFor === 'all-topics' || hook.topics.some((topic) => topics.includes(topic));
  const states = ours.filter(isFor).map((hook) => ({ hook, state: stateOf(hook, topics, wanted) }));
  states.sort((one, other) => RANK.indexOf(one.state) - RANK.indexOf(other.state));
  const [best] = states;
  if (!best) return { state: 'missing', topics, action: 'create' };
  const { hook, state } = best;
  if (state === 'fine') return { ...untouched(hook, wanted.lacksSecret ? 'secret-unknown' : 'fine'), topics };
  // What somebody added to an endpoint for several events stays, unless it does harm.
  const kept = wanted.hookFor === 'all-topics' ? hook.topics : [];
  const together = [...new Set([...topics, ...kept])].filter((topic) => !wanted.unwanted.includes(topic));
  return { state, registered: hook, topics: together, action: 'repair' };
}

function stateOf(hook: RegisteredHook, topics: readonly string[], wanted: WantedHooks): HookState {
  if (!wanted.isTaken(hook.address)) return 'wrong-address';
  if (!hook.enabled) return 'disabled';
  const isRight =
    topics.every((topic) => hook.topics.includes(topic)) &&
    !hook.topics.some((topic) => wanted.unwanted.includes(topic));
  return isRight ? 'fine' : 'wrong-topics';
}

function untouched(hook: RegisteredHook, state: HookState): PlannedHook {
  return { state, registered: hook, topics: hook.topics, action: null };
}
