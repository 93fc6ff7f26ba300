import type { RegisteredHook } from '../../sources/hook-registration';
import { planHooks, problemOf, type WantedHooks } from './hook-plan';

const BASE = 'https://ponte.example/hooks/main/loja';

function wanted(changes: Partial<WantedHooks> = {}): WantedHooks {
  return {
    address: BASE,
    leadsHere: (address) => address === BASE || address.startsWith(`${BASE}/`),
    isTaken: (address) => address === BASE,
    hookFor: 'each-topic',
    topics: ['order.created', 'order.updated'],
    unwanted: [],
    known: new Set(),
    lacksSecret: false,
    ...changes,
  };
}

function hook(id: string, changes: Partial<RegisteredHook> = {}): RegisteredHook {
  return { id, address: BASE, topics: ['order.created'], enabled: true, ...changes };
}

/** `state of the hook: topics, action` of each. */
function shortly(registered: RegisteredHook[], changes: Partial<WantedHooks> = {}): string[] {
  return planHooks(registered, wanted(changes)).map(
    ({ state, registered: seen, topics, action }) =>
      `${state} ${seen?.id ?? '-'}: ${topics.join('+')}${action ? `, ${action}` : ''}`,
  );
}

describe('a plan with a webhook for each topic', () => {
  it('makes those that are missing and leaves those that are right', () => {
    expect(shortly([hook('1')])).toEqual(['fine 1: order.created', 'missing -: order.updated, create']);
  });

  it('mends one that is disabled, or whose address has no secret that is live', () => {
    const old = hook('2', { topics: ['order.updated'], address: `${BASE}/an-old-secret` });
    expect(shortly([hook('1', { enabled: false }), old])).toEqual([
      'disabled 1: order.created, repair',
      'wrong-address 2: order.updated, repair',
    ]);
  });

  it('never touches one that leads elsewhere, be it for the same topic, unless it was the source’s before', () => {
    const elsewhere = hook('9', { address: 'https://staging.example/hooks/main/loja' });
    expect(shortly([elsewhere])).toEqual([
      'missing -: order.created, create',
      'missing -: order.updated, create',
      'foreign 9: order.created',
    ]);
    expect(shortly([elsewhere], { known: new Set(['9']) })[0]).toBe('wrong-address 9: order.created, repair');
  });

  it('keeps the best of two for one topic, and leaves the other as it is', () => {
    expect(shortly([hook('1', { enabled: false }), hook('2')])).toEqual([
      'fine 2: order.created',
      'missing -: order.updated, create',
      'extra 1: order.created',
    ]);
  });

  it('leaves one of its own for a topic that nobody reads', () => {
    expect(shortly([hook('5', { topics: ['product.created'] })]).at(-1)).toBe('extra 5: product.created');
  });

  it('does not take the beginning of an address for the address', () => {
    const longer = hook('3', { address: `${BASE}-2` });
    expect(shortly([longer]).at(-1)).toBe('foreign 3: order.created');
  });
});

describe('a plan with one webhook for all topics', () => {
  const all = { hookFor: 'all-topics', topics: ['charge', 'payout'] } as const;

  it('makes one for all of them', () => {
    expect(shortly([], all)).toEqual(['missing -: charge+payout, create']);
  });

  it('adds what is not there and keeps what somebody added', () => {
    expect(shortly([hook('1', { topics: ['charge', 'invoice'] })], all)).toEqual([
      'wrong-topics 1: charge+payout+invoice, repair',
    ]);
    expect(shortly([hook('1', { topics: ['charge', 'payout', 'invoice'] })], all)).toEqual([
      'fine 1: charge+payout',
    ]);
  });

  it('takes away what would be booked twice', () => {
    const some = { ...all, topics: ['payout'], unwanted: ['charge'] };
    expect(shortly([hook('1', { topics: ['charge', 'payout', 'invoice'] })], some)).toEqual([
      'wrong-topics 1: payout+invoice, repair',
    ]);
  });

  it('says where nothing that comes can be verified, and would change nothing about it', () => {
    const plan = planHooks([hook('1', { topics: [...all.topics] })], wanted({ ...all, lacksSecret: true }));
    expect(plan).toMatchObject([{ state: 'secret-unknown', action: null }]);
    expect(problemOf(plan)).toContain('the source has no secret');
  });
});

describe('what is wrong, in words', () => {
  it('names topics and states, and nothing where all is right', () => {
    const bad = planHooks([hook('1', { enabled: false })], wanted());
    expect(problemOf(bad)).toBe(
      'order.created: the webhook is not enabled; order.updated: no webhook is registered',
    );
    const good = planHooks([hook('1'), hook('2', { topics: ['order.updated'] }), hook('3')], wanted());
    expect(problemOf(good)).toBeUndefined();
  });
});
