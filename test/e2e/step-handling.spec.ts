import type { ApprovalView } from '../../src/admin/approvals/approvals.dto';
import type {
  AttentionPage,
  DeliveryDetailView,
  DeliveryPage,
} from '../../src/admin/deliveries/deliveries.dto';
import type { TimelineItem, TimelineView } from '../../src/admin/orders/timeline.dto';
import { ResumedDeliveries } from '../../src/deliveries/resumed-deliveries';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { OPERATORS_KEY } from '../support/service';
import { until } from '../support/until';

const FIND = ['  - id: order', '    do: creditSchedule.find', '    key: ${order.key}'];
const REFUND = [
  '  - id: refund',
  '    forEach: { refund: order.refunds }',
  '    do: payment.register',
  '    key: ${refund.key}',
];

function payment(account: string, value = '${refund.value}'): string[] {
  const date = '"${refund.refundedAt.dateIn(org.timeZone)}"';
  return [`    with: { account: "${account}", value: "${value}", date: ${date}, description: Refund }`];
}

/** Rules on refunds, each for the orders whose number begins with its name. */
function rules(account: string): Readonly<Record<string, string[]>> {
  const receipt = [
    ...['  - id: receipt', '    do: receipt.register', '    key: ${order.key}/late'],
    '    with: { schedules: "${steps.order.all}", allocate: oldest-first, value: \'${money("1.00")}\',',
    `      date: "\${order.createdAt.dateIn(org.timeZone)}", account: "${account}" }`,
  ];
  const fee = [
    ...['  - id: fee', '    do: payment.register', '    key: ${order.key}/handling'],
    '    with: { account: "' + account + '", value: \'${money("2.00")}\',',
    '      date: "${order.createdAt.dateIn(org.timeZone)}", description: Handling }',
  ];
  return {
    waits: [...FIND, '    ifMissing: wait', ...REFUND, ...payment(account)],
    skips: [...FIND, '    ifMissing: skip', ...receipt, ...fee],
    refuses: [...FIND, ...fee],
    continues: [...REFUND, '    onRefused: continue', ...payment('no-such-account'), ...fee],
    asks: [...REFUND, '    approval: required', ...payment(account)],
  };
}

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('how a step is carried out, %s', (_where, open) => {
  let harness: OrderHarness;
  let account: string;
  let orders = 0;
  let id: string;

  beforeAll(async () => {
    harness = await open();
    const tables = (await harness.service.admin('tables/gatewayAccount')) as { entries: object };
    account = (tables.entries as { default: string }).default;
    expect((await harness.service.operate('post', 'rules/order-refunded/disable')).status).toBe(200);
    for (const [name, steps] of Object.entries(rules(account))) await put(name, steps);
  });
  afterAll(() => harness.stop());

  beforeEach(() => {
    orders += 1;
    id = `o-${orders}`;
  });

  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  async function put(name: string, steps: readonly string[]): Promise<void> {
    const condition = `    - order.number.startsWith("${name}-")`;
    const lines = [
      `rule: ${name}`,
      'when:',
      '  event: order.refunded',
      '  all:',
      condition,
      'then:',
      ...steps,
    ];
    const reply = await harness.service.http
      .put(`/admin/organizations/main/rules/${name}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(lines.join('\n'));
    if (reply.status !== 200 && reply.status !== 201) throw new Error(reply.text);
  }

  /** Sends what the shop says of the order. @returns the delivery's identifier */
  async function send(type: string, rule: string, data: object = {}): Promise<string> {
    const order = {
      ...{ id, number: `${rule}-${orders}`, total: '100.00', createdAt: '2026-11-20T10:00:00-03:00' },
      customer: { id: `c-${orders}`, name: 'Lia Campos', document: cpfNumber(91_000 + orders) },
    };
    const body = JSON.stringify({ type, timestamp: '2026-11-20T12:00:00Z', data: { ...order, ...data } });
    const reply = await harness.service.hook({ source: 'standard', topic: type, body });
    expect(reply.status).toBe(200);
    await harness.settled();
    return (reply.body as { delivery: string }).delivery;
  }

  function refund(rule: string, value = '30.00'): Promise<string> {
    const refunds = [{ id: 'r1', value, gateway: 'pix', refundedAt: '2026-11-22T12:00:00Z' }];
    return send('order.refunded', rule, { refunds });
  }

  function pay(rule: string): Promise<string> {
    return send('order.paid', rule, {
      payment: { id: `p-${orders}`, gateway: 'pix', method: 'pix', paidAt: '2026-11-20T10:05:00-03:00' },
    });
  }

  async function delivery(which: string): Promise<DeliveryDetailView> {
    return (await harness.service.admin(`deliveries/${which}`)) as DeliveryDetailView;
  }

  async function resume(): Promise<void> {
    await harness.service.part(ResumedDeliveries).resume();
    await harness.settled();
  }

  /** Minor units that left an account for the order. */
  async function paid(): Promise<bigint[]> {
    const where = { kind: 'payment', reference: { startsWith: `standard/order/${id}/` } } as const;
    const found = await harness.books.prisma.entry.findMany({ where, orderBy: { reference: 'asc' } });
    return found.map(({ amountMinor }) => amountMinor);
  }

  async function attention(): Promise<AttentionPage['items']> {
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    return items.filter(({ businessKey }) => businessKey === `standard/order/${id}`);
  }

  async function approvals(): Promise<ApprovalView[]> {
    const { items } = (await harness.service.admin('approvals')) as { items: ApprovalView[] };
    return items.filter(({ effectKey }) => effectKey.includes(`/${id}/`));
  }

  /** When its deliveries went on by themselves, as its life shows it. */
  async function wakeUps(): Promise<TimelineItem[]> {
    const { items } = (await harness.service.admin(`timeline?key=standard/order/${id}`)) as TimelineView;
    return items.filter((item) => item.kind === 'audit' && item.action === 'delivery.resume');
  }

  async function letters(filter: string): Promise<string[]> {
    const { items } = (await harness.service.admin(`dead-letters?${filter}`)) as DeliveryPage;
    return items.map((letter) => letter.id);
  }

  it('a refund waits for its order, and is booked once when the order is', async () => {
    const letter = await refund('waits');
    expect(await delivery(letter)).toMatchObject({
      state: 'dead',
      needsPerson: false,
      waitsFor: [`credit-schedule/standard/order/${id}`],
      reason: expect.stringContaining(
        `there is no receivable under the key credit-schedule/standard/order/${id}`,
      ),
    });
    expect(await letters('needsPerson=false')).toContain(letter);
    expect(await letters('needsPerson=true')).not.toContain(letter);
    await resume();
    expect(await delivery(letter)).toMatchObject({ state: 'dead' });
    await pay('waits');
    await resume();
    expect(await delivery(letter)).toMatchObject({ state: 'done', waitsFor: [], needsPerson: false });
    await refund('waits');
    expect(await paid()).toEqual([3_000n]);
    expect(await attention()).toEqual([]);
  });

  it('a record that is there is found, and the step says which', async () => {
    await pay('waits');
    const { runs } = await delivery(await refund('waits'));
    const [order] = (runs.find(({ rule }) => rule === 'waits')?.steps ?? []) as {
      output: { all: string[] };
    }[];
    const schedules = await harness.books.prisma.schedule.findMany({
      where: { reference: `standard/order/${id}` },
    });
    expect(order).toMatchObject({ state: 'existing', output: { all: schedules.map((one) => one.id) } });
  });

  it('what uses a record that is not there is skipped, and the rest goes on', async () => {
    const { state, outcome, runs } = await delivery(await refund('skips'));
    expect({ state, outcome }).toEqual({ state: 'done', outcome: 'applied' });
    expect(runs[0]?.steps).toMatchObject([
      { id: 'order', state: 'skipped' },
      { id: 'receipt', state: 'skipped', reason: 'it uses the output of step order' },
      { id: 'fee', state: 'applied' },
    ]);
    expect(await paid()).toEqual([200n]);
  });

  it('a record that is not there refuses the rule unless it says otherwise', async () => {
    const letter = await refund('refuses');
    expect(await delivery(letter)).toMatchObject({ state: 'dead', needsPerson: true, waitsFor: [] });
    expect(await letters('needsPerson=true')).toContain(letter);
    expect(await paid()).toEqual([]);
  });

  it('a refused step is left to a person once, and the steps that do not use it go on', async () => {
    const first = await delivery(await refund('continues'));
    expect(first).toMatchObject({ state: 'done', outcome: 'applied; needs a person: step-refused' });
    expect(first.runs[0]?.steps).toMatchObject([
      { id: 'refund', state: 'refused' },
      { id: 'fee', state: 'applied' },
    ]);
    await refund('continues');
    expect(await attention()).toMatchObject([{ code: 'step-refused', value: '30.00' }]);
    expect(await paid()).toEqual([200n]);
  });

  it('an effect that needs an approval is made once, when one of two operators has approved it', async () => {
    const asked = await refund('asks');
    await refund('asks');
    expect(await delivery(asked)).toMatchObject({ outcome: 'applied; needs a person: approval-required' });
    expect(await paid()).toEqual([]);
    expect(await attention()).toMatchObject([{ code: 'approval-required', value: '30.00' }]);
    const [approval, ...others] = await approvals();
    expect(others).toEqual([]);
    expect(approval).toMatchObject({
      ...{
        state: 'waiting',
        rule: 'asks',
        step: 'refund',
        effectKey: `payment/standard/order/${id}/refund/r1`,
      },
      plan: { operation: 'payment.register', amount: '30.00', input: { account, value: '30.00' } },
    });
    const approve = () => harness.service.operate('post', `approvals/${approval?.id}/approve`);
    const replies = await Promise.all([approve(), approve()]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    await resume();
    await refund('asks');
    expect(await paid()).toEqual([3_000n]);
    expect(await approvals()).toMatchObject([{ state: 'approved', decidedBy: expect.any(String) }]);
    expect(await attention()).toEqual([]);
  });

  it('the life of an order shows how a rule stood before its delivery went on by itself', async () => {
    await refund('asks');
    const [approval] = await approvals();
    expect((await harness.service.operate('post', `approvals/${approval?.id}/approve`)).status).toBe(204);
    await resume();
    const effects = [`payment/standard/order/${id}/refund/r1`];
    expect(await wakeUps()).toMatchObject([
      {
        ...{ actor: 'ponte', reason: 'an operator decided' },
        runs: [{ rule: 'asks', version: expect.any(Number), event: 'order.refunded', state: 'done' }].map(
          (run) => ({ ...run, steps: [{ id: 'refund', state: 'waiting', effects }] }),
        ),
      },
    ]);
    const { items } = (await harness.service.admin(`timeline?key=standard/order/${id}`)) as TimelineView;
    expect(items.find(({ kind }) => kind === 'run')).toMatchObject({ steps: [{ state: 'applied' }] });
  });

  it('going on by itself again keeps nothing that is kept already', async () => {
    const letter = await refund('waits');
    // As if its order came and was gone again: what it waits for seems to be there, and it waits again.
    const waitForAnother = async () => {
      const { prisma } = harness.service.database;
      const { key } = await prisma.effect.findFirstOrThrow({ where: { state: 'applied' } });
      await prisma.delivery.update({ where: { id: letter }, data: { waitsFor: [key] } });
      await resume();
      expect(await delivery(letter)).toMatchObject({ state: 'dead', needsPerson: false });
    };
    await waitForAnother();
    await waitForAnother();
    expect(await wakeUps()).toMatchObject([
      { reason: 'the record that it waited for is there', runs: [{ rule: 'waits', state: 'refused' }] },
    ]);
  });

  it('another amount than the one approved asks again, under another id', async () => {
    await refund('asks');
    const [first] = await approvals();
    await refund('asks', '40.00');
    const [second] = await approvals();
    expect(second).toMatchObject({ state: 'waiting', plan: { amount: '40.00' } });
    expect(second?.id).not.toBe(first?.id);
    // Of what is asked no more nobody is told.
    expect(await attention()).toMatchObject([{ code: 'approval-required', value: '40.00' }]);
    expect((await harness.service.operate('post', `approvals/${first?.id}/approve`)).status).toBe(404);
    expect((await harness.service.operate('post', `approvals/${second?.id}/approve`)).status).toBe(204);
    await resume();
    expect(await paid()).toEqual([4_000n]);
  });

  it('what was declined is not made, also when it comes again, until it is reopened', async () => {
    await refund('asks');
    const [approval] = await approvals();
    const decide = async (how: string) => {
      const reply = await harness.service.operate('post', `approvals/${approval?.id}/${how}`, {
        reason: 'r',
      });
      await resume();
      return reply.status;
    };
    expect(await decide('decline')).toBe(204);
    const { outcome, runs } = await delivery(await refund('asks'));
    expect(outcome).toBe('applied');
    expect(runs[0]?.steps).toMatchObject([{ state: 'skipped', reason: 'an operator declined it: r' }]);
    expect([await decide('approve'), await decide('reopen'), await decide('approve')]).toEqual([
      409, 204, 204,
    ]);
    expect(await paid()).toEqual([3_000n]);
  });

  describe('once an operator was asked', () => {
    afterEach(() => put('asks', rules(account)['asks'] ?? []));

    const asksNobody = () => put('asks', [...REFUND, ...payment(account)]);
    async function decide(how: string): Promise<number> {
      const [approval] = await approvals();
      const path = `approvals/${approval?.id}/${how}`;
      const { status } = await harness.service.operate('post', path, { reason: 'r' });
      await resume();
      return status;
    }

    it('what was declined stays declined where the rule asks nobody any more', async () => {
      await refund('asks');
      expect(await decide('decline')).toBe(204);
      await asksNobody();
      const { runs } = await delivery(await refund('asks'));
      expect(runs[0]?.steps).toMatchObject([{ state: 'skipped', reason: 'an operator declined it: r' }]);
      expect(await paid()).toEqual([]);
      expect([await decide('reopen'), await decide('approve')]).toEqual([204, 204]);
      expect(await paid()).toEqual([3_000n]);
    });

    it('what waits is not made before the decision where the rule asks nobody any more', async () => {
      await refund('asks');
      await asksNobody();
      await refund('asks', '40.00');
      expect(await paid()).toEqual([]);
      expect(await approvals()).toMatchObject([{ state: 'waiting', plan: { amount: '40.00' } }]);
      expect(await decide('approve')).toBe(204);
      expect(await paid()).toEqual([4_000n]);
      expect(await attention()).toEqual([]);
    });

    it('it is not approved while no rule in force asks for it, and waits', async () => {
      await refund('asks');
      expect((await harness.service.operate('post', 'rules/asks/disable')).status).toBe(200);
      expect(await decide('approve')).toBe(409);
      expect(await approvals()).toMatchObject([{ state: 'waiting' }]);
      expect(await attention()).toMatchObject([{ code: 'approval-required' }]);
      expect((await harness.service.operate('post', 'rules/asks/enable')).status).toBe(200);
      expect(await decide('approve')).toBe(204);
      expect(await paid()).toEqual([3_000n]);
    });

    it('another rule with the same key makes nothing that waits or was declined', async () => {
      expect((await harness.service.operate('post', 'rules/order-refunded/enable')).status).toBe(200);
      const order = {
        payments: [{ id: 'p', value: '100.00', gateway: 'pix', paidAt: '2026-11-20T12:00:00Z' }],
      };
      const refunds = [{ id: 'r1', value: '30.00', gateway: 'pix', refundedAt: '2026-11-22T12:00:00Z' }];
      const both = () => send('order.refunded', 'asks', { ...order, refunds });
      const { runs } = await delivery(await both());
      expect(runs.map(({ rule }) => rule)).toEqual(['asks', 'order-refunded']);
      expect(await paid()).toEqual([]);
      expect(await decide('decline')).toBe(204);
      await both();
      expect(await paid()).toEqual([]);
      expect((await harness.service.operate('post', 'rules/order-refunded/disable')).status).toBe(200);
    });
  });

  it('an approval that a process did not live to carry out is carried out by another', async () => {
    const letter = await refund('asks');
    const [approval] = await approvals();
    await harness.service.database.prisma.approval.update({
      where: { id: approval?.id ?? '' },
      data: { state: 'approved', decidedAt: new Date(), toResume: true },
    });
    await resume();
    expect(await paid()).toEqual([3_000n]);
    expect(await delivery(letter)).toMatchObject({ outcome: 'applied' });
  });

  it.each(['has no body', 'was discarded'])(
    'a decision about a delivery that %s is in the way of no other',
    async (how) => {
      const gone = await refund('asks');
      const [approval] = await approvals();
      const { prisma } = harness.service.database;
      if (how === 'has no body') await prisma.deliveryBody.deleteMany({ where: { id: gone } });
      else await prisma.delivery.update({ where: { id: gone }, data: { state: 'discarded' } });
      const reply = await harness.service.operate('post', `approvals/${approval?.id}/decline`, {
        reason: 'r',
      });
      expect(reply.status).toBe(204);
      await resume();
      expect(await prisma.approval.count({ where: { toResume: true } })).toBe(0);
    },
  );

  it('a decision is carried out before its answer, also where a run has looked before it', async () => {
    await refund('asks');
    const [approval] = await approvals();
    const stored = () =>
      harness.service.database.prisma.approval.findUniqueOrThrow({ where: { id: approval?.id ?? '' } });
    const resumed = harness.service.part(ResumedDeliveries);
    let end: () => void = () => undefined;
    const earlier = jest.spyOn(resumed, 'resume').mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => (end = resolve));
      return 0;
    });
    const ended = resumed.afterDecision();
    await until(() => earlier.mock.calls.length > 0);
    const reply = harness.service.operate('post', `approvals/${approval?.id}/approve`);
    await until(async () => (await stored()).state === 'approved');
    end();
    expect([(await reply).status, (await stored()).toResume]).toEqual([204, false]);
    await ended;
    await harness.settled();
    expect(await paid()).toEqual([3_000n]);
  });
});
