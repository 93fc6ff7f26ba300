import { setImmediate as nextTick } from 'node:timers/promises';
import { DOCUMENT_KEY, ORGANIZATION } from '../../rules/fixtures';
import { Trials } from './trials';

class TestedTrials extends Trials {
  override deadlineMs = 60_000;
  override idleMs = 60_000;
}

const OWN = ORGANIZATION.id;
const RULE = 'rule: small\nwhen: {event: order.paid}\nthen: [{id: a, do: customer.ensure, with: {name: x}}]';
/** Right in every respect, and the most that a document of 64 KiB can ask of the reader. */
const HEAVY = `rule: heavy
when: {event: order.paid}
then: [{id: a, do: customer.ensure, with: {name: "${`\${string(${'1+'.repeat(240)}1)} `.repeat(120)}"}}]`;

describe('a trial of a rule', () => {
  let trials: TestedTrials;

  beforeEach(() => {
    trials = new TestedTrials();
  });
  afterEach(() => trials.onModuleDestroy());

  it('needs no thread until there is one, and none when there has been none for a while', async () => {
    expect(trials.isRunning).toBe(false);
    trials.idleMs = 1;
    expect(await trials.check(OWN, { document: RULE, tables: [], settings: new Map() })).toEqual({
      name: 'small',
      event: 'order.paid',
      rule: {
        ...{ name: 'small', event: 'order.paid', priority: 0, stop: false, isConditional: false, keyed: [] },
        ...{ cost: expect.any(Number), conditionsCost: 0 },
      },
      settings: [],
      problems: [],
    });
    while (trials.isRunning) await nextTick();
    expect(
      await trials.check(OWN, { document: RULE, tables: [], settings: new Map(), name: 'other' }),
    ).toMatchObject({
      problems: [{ line: 1, message: expect.stringContaining('"other"') }],
    });
  });

  it('keeps nobody waiting', async () => {
    let [turns, answered] = [0, false];
    const answer = trials
      .check(OWN, { document: HEAVY, tables: [], settings: new Map() })
      .finally(() => (answered = true));
    for (; !answered; turns += 1) await nextTick();
    expect(await answer).toMatchObject({ name: 'heavy', problems: [] });
    expect(turns).toBeGreaterThan(10);
  });

  it('ends when its time is over, and the next one is made all the same', async () => {
    await trials.check(OWN, { document: RULE, tables: [], settings: new Map() });
    trials.deadlineMs = 1;
    const late = trials.check(OWN, { document: HEAVY, tables: [], settings: new Map() });
    await expect(late).rejects.toMatchObject({ code: 'validation-failed' });
    trials.deadlineMs = 60_000;
    expect(await trials.check(OWN, { document: RULE, tables: [], settings: new Map() })).toMatchObject({
      name: 'small',
    });
  });

  it('fails alone when it cannot be handed to the thread', async () => {
    const task = {
      document: RULE,
      tables: [(): void => undefined],
      settings: new Map(),
    } as unknown as Parameters<Trials['check']>[1];
    await expect(trials.check(OWN, task)).rejects.toThrow('could not be cloned');
    expect(await trials.check(OWN, { document: RULE, tables: [], settings: new Map() })).toMatchObject({
      name: 'small',
    });
  });

  async function refusals(organizationIds: readonly string[]): Promise<unknown[]> {
    const task = { document: RULE, tables: [], settings: new Map() };
    const answers = await Promise.allSettled(organizationIds.map(async (id) => trials.check(id, task)));
    return answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  }

  it('is refused when too many wait', async () => {
    const refused = await refusals(Array.from({ length: 36 }, (_, index) => `organization-${index}`));
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({ code: 'saturated', extras: { retryAfterSeconds: 1 } });
  });

  it('is refused when too many of its organization wait, while those of others are taken', async () => {
    const refused = await refusals([...Array.from({ length: 20 }, () => OWN), 'another']);
    // One is worked on, eight wait.
    expect(refused).toHaveLength(11);
    expect(refused[0]).toMatchObject({ code: 'saturated' });
    expect(await refusals([OWN, 'another'])).toEqual([]);
  });

  it('says what is wrong with an event that is none', async () => {
    const task = {
      document: RULE,
      name: 'small',
      version: 1,
      organization: ORGANIZATION,
      documentKey: DOCUMENT_KEY,
      tables: new Map(),
      settings: {},
    };
    const fields = Object.fromEntries(Array.from({ length: 17_000 }, (_, index) => [`f${index}`, 1]));
    const json = JSON.stringify({ type: 'order.paid', ...fields });
    const answer = await trials.preview({ ...task, events: [{ json }] });
    expect('faults' in answer && answer.faults).toHaveLength(100);
  });

  it('fails those that wait when the service stops', async () => {
    const answers = [1, 2].map(() => trials.check(OWN, { document: RULE, tables: [], settings: new Map() }));
    const ends = Promise.allSettled(answers);
    await trials.onModuleDestroy();
    expect(await ends).toMatchObject([
      { reason: { code: 'shutting-down' } },
      { reason: { code: 'shutting-down' } },
    ]);
    expect(trials.isRunning).toBe(false);
  });
});
