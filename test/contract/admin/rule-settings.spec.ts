import { Catalog } from '../../../src/deliveries/catalog';
import type { CompiledRule } from '../../../src/rules/compiled-rule';
import { ActiveRules } from '../../../src/workflows/active-rules';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';

/** A rule with these choices for `basis`. */
function ruleWith(choices: string): string {
  return [
    'rule: fee',
    'settings:',
    "  rate: { type: percentage, default: '4.99', description: what is kept }",
    `  basis: { type: choice, of: [${choices}], default: cash, description: how it is posted }`,
    'when: { event: order.created }',
    'then:',
    '  - id: customer',
    '    do: customer.ensure',
    '    with: { name: "${settings.basis} at ${settings.rate}" }',
  ].join('\n');
}

const RULE = ruleWith('cash, accrual');

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
  expect((await put(RULE)).status).toBe(200);
});
afterAll(() => service.stop());

function put(document: string) {
  return service.http
    .put(`/admin/organizations/${client.slug}/rules/fee`)
    .set('authorization', `Bearer ${OPERATORS_KEY}`)
    .set('content-type', 'application/yaml')
    .send(document);
}

const set = (settings: object, reason?: string) =>
  client.send('put', '/rules/fee/settings', { settings, reason });
const shown = async () => (await client.send('get', '/rules/fee/settings')).body as Record<string, unknown>;

/** What the rule in force makes of an event: the customer's name. */
async function previewed(): Promise<unknown> {
  const order = {
    ...{ key: 'shop/order/1', source: 'shop', id: '1', number: '1', createdAt: '2026-11-20T12:00:00Z' },
    ...{ total: { value: '40.00', currency: 'BRL' }, instalments: 1, test: false },
    ...{ customer: { key: 'shop/customer/5', name: 'Ana' }, refunds: [], differences: [], lines: [] },
  };
  const event = { type: 'order.created', key: order.key, occurredAt: order.createdAt, order };
  const { body } = await client.send('post', '/rules/fee/preview', { event });
  const [first] = (body as { events: { plan: { steps: { effects: { input: { name: string } }[] }[] } }[] })
    .events;
  return first?.plan.steps[0]?.effects[0]?.input.name;
}

/** What `settings.basis` is to the first of the rules in memory. */
function basisOf([rule]: readonly CompiledRule[]): unknown {
  const settings = rule?.settingsIn('BRL');
  return settings instanceof Map ? (settings.get('basis') as unknown) : undefined;
}

describe('the settings of a rule', () => {
  it('are shown with their types and defaults', async () => {
    expect(await shown()).toEqual({
      rule: 'fee',
      version: 1,
      settings: [
        {
          ...{ name: 'rate', type: 'percentage', of: null, description: 'what is kept' },
          ...{ default: '4.99', value: '4.99', isSet: false },
        },
        {
          ...{ name: 'basis', type: 'choice', of: ['cash', 'accrual'], description: 'how it is posted' },
          ...{ default: 'cash', value: 'cash', isSet: false },
        },
      ],
      undeclared: [],
    });
  });

  it('are set all at once, decide at once, and stand in the audit log', async () => {
    expect(await previewed()).toBe('cash at 4.99');
    const reply = await set({ rate: 3.5, basis: 'accrual' }, 'new contract');
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { settings: [{ value: '3.5', isSet: true }, {}] },
    ]);
    expect(await previewed()).toBe('accrual at 3.5');
    expect(await client.lastAudit()).toMatchObject({
      action: 'rule.settings',
      subject: 'fee',
      before: {},
      after: { rate: '3.5', basis: 'accrual' },
      reason: 'new contract',
    });
    await set({ rate: '3.5' });
    expect(await previewed()).toBe('cash at 3.5');
  });

  it('are in force in the memory of the replica, and of those that follow it', async () => {
    const { rules: before } = service.part(ActiveRules).listeningTo(client.id, 'order.created');
    await set({ basis: 'accrual' });
    const { rules } = service.part(ActiveRules).listeningTo(client.id, 'order.created');
    expect(basisOf(before)).toBe('cash');
    expect(basisOf(rules)).toBe('accrual');
  });

  it('change nothing where one of them does not fit', async () => {
    const reply = await set({ rate: '3.5', basis: 'both', rat: '1', days: [1] });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      errors: [
        { pointer: '/settings/days', message: 'it is text, true, false or a number' },
        { pointer: '/settings/basis', message: 'it is cash or accrual' },
        { pointer: '/settings/rat', message: 'the rule declares no such setting; did you mean "rate"?' },
      ],
    });
    expect(await previewed()).toBe('cash at 4.99');
  });

  it('of no rule are not found', async () => {
    expect((await client.send('get', '/rules/none/settings')).status).toBe(404);
    expect((await client.send('put', '/rules/none/settings', { settings: {} })).status).toBe(404);
  });

  it('are kept by a later version, and by one that declares them no more', async () => {
    await set({ rate: '3.5', basis: 'accrual' });
    expect((await put(ruleWith('cash, accrual, both'))).status).toBe(200);
    expect(await previewed()).toBe('accrual at 3.5');
    const withoutRate = RULE.replace(/ {2}rate.*\n/, '').replace(' at ${settings.rate}', '');
    expect((await put(withoutRate)).status).toBe(200);
    expect([await previewed(), (await shown())['undeclared']]).toEqual(['accrual', ['rate']]);
  });

  it('keep a version out that they do not fit, with a sentence', async () => {
    await set({ basis: 'accrual' });
    const reply = await put(ruleWith('cash, both'));
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      errors: [
        {
          line: 4,
          detail:
            'what the organization has set for "basis" does not fit here: it is cash or both; set it anew first, or take it back',
        },
      ],
    });
    expect((await shown())['version']).toBe(1);
    await set({});
    expect((await put(ruleWith('cash, both'))).status).toBe(200);
  });

  it('and a version put at the same time always fit each other', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect((await set({})).status).toBe(200);
      const statuses = (
        await Promise.all([put(ruleWith(`cash, both-${round}`)), set({ basis: 'accrual' })])
      ).map(({ status }) => status);
      expect(statuses).toContain(200);
      for (const status of statuses) expect([200, 409, 422]).toContain(status);
      await service.part(Catalog).refresh();
      expect(service.part(ActiveRules).unreadOrganizations.has(client.id)).toBe(false);
      expect((await set({})).status).toBe(200);
      expect((await put(RULE)).status).toBe(200);
    }
  });
});
