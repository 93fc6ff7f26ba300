import type { DemoOrder } from '../../scripts/demo/shop-orders';
import { verifyStandardWebhook } from '../../src/sources/standard-webhooks/verify';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { type RecordedRequest, RecordingServer } from '../support/recording-server';
import { putInForce, settlingRule } from '../support/settling-rule';
import { daysPass } from '../support/time-passes';
import { until } from '../support/until';

const STEPS = `
  - id: look
    do: attention.raise
    key: \${order.key}/look
    with:
      code: rule-look
      message: Look at order \${order.number}
      value: \${order.total}
  - id: tell
    do: http.notify
    key: \${order.key}/booked
    with:
      endpoint: partner
      type: order.booked
      data: { order: '\${order.key}', total: '\${order.total}' }
`;

interface Shown {
  runs: { steps: { id: string; state: string }[] }[];
  effects: { key: string; state: string }[];
}

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded({ NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' })],
  [
    'in a remote finance service',
    () => OrderHarness.remote({ uniqueDocuments: true }, { NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8' }),
  ],
])('what a rule tells others, %s', (_where, open) => {
  let harness: OrderHarness;
  let receiver: RecordingServer;
  let orders = 0;
  let order: DemoOrder;
  let secret: string;

  beforeAll(async () => {
    harness = await open();
    receiver = await RecordingServer.start();
    await putInForce(harness.service, [settlingRule('2026-01-05', STEPS), 1]);
    const made = await harness.service.operate('post', 'notifications/endpoints', {
      name: 'partner',
      url: `${receiver.url}/hook`,
    });
    expect(made.status).toBe(201);
    secret = (made.body as { secret: string }).secret;
  });
  afterAll(async () => {
    await harness.stop();
    await receiver.stop();
  });

  beforeEach(() => {
    orders += 1;
    order = {
      ...{ id: 8_910_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(89_100 + orders), email: `lia${orders}@example.com`, instalments: 3 },
    };
    receiver.answer({ status: 200 });
  });

  function worker(): DeferredWorker {
    return harness.service.part(DeferredWorker);
  }

  /** Waits until the order's message is so: what the receiver counts may be another order's. */
  async function untilMessage(reached: (message: { state: string; attempts: number }) => boolean) {
    const key = `notification/shopify/order/${order.id}/booked`;
    await until(async () => {
      await worker().run();
      const message = await harness.service.database.prisma.deferredEffect.findFirst({ where: { key } });
      return message !== null && reached(message);
    });
  }

  function untilState(wanted: string): Promise<void> {
    return untilMessage(({ state }) => state === wanted);
  }

  function isSigned({ headers, body }: RecordedRequest, ...secrets: string[]): boolean {
    const request = {
      headers: headers as Record<string, string>,
      rawBody: Buffer.from(body),
      ...{ method: 'POST', query: {} },
    };
    return verifyStandardWebhook(request, secrets, {}, new Date()).ok;
  }

  it('is sent once, signed, and known as applied with the delivery', async () => {
    await harness.shopify(order);
    await untilState('applied');
    await harness.shopify(order, { note: 'again' });
    await worker().run();
    const [message] = receiver.requests;
    expect(receiver.requests).toHaveLength(1);
    expect(message && isSigned(message, secret)).toBe(true);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'order.booked',
      data: { order: `shopify/order/${order.id}`, total: '100.00' },
    });
    const { id } = await harness.lastDelivery();
    const { runs, effects } = (await harness.service.admin(`deliveries/${id}`)) as Shown;
    expect(runs[0]?.steps.at(-1)).toMatchObject({ id: 'tell', state: 'existing' });
    expect(effects).toContainEqual(
      expect.objectContaining({
        key: `notification/shopify/order/${order.id}/booked`,
        state: 'applied',
      }) as object,
    );
  });

  it('raises the attention of a rule once', async () => {
    await harness.shopify(order);
    await harness.shopify(order, { note: 'again' });
    expect(await harness.attention(order)).toMatchObject([
      { code: 'rule-look', value: '100.00', detail: `Look at order #${order.number}` },
    ]);
    // Its message must not come to the receiver of the next test.
    await untilState('applied');
  });

  it('is sent again with the same id after a failure', async () => {
    receiver.answer({ status: 500 }, { status: 200 });
    await harness.shopify(order);
    await untilMessage(({ attempts }) => attempts === 1);
    await daysPass(harness.service.database, 1);
    await untilState('applied');
    const [first, second] = receiver.requests;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
  });

  it('is left to a person where the receiver wants no more, who can have it sent again', async () => {
    receiver.answer({ status: 410 });
    await harness.shopify(order);
    await untilState('refused');
    expect((await harness.attention(order)).map(({ code }) => code)).toContain('notification-failed');
    receiver.answer({ status: 200 });
    const key = `notification/shopify/order/${order.id}/booked`;
    const { id } = await harness.service.database.prisma.deferredEffect.findFirstOrThrow({ where: { key } });
    const reply = await harness.service.operate('post', `deferred-effects/${id}/retry`, { reason: 'mended' });
    expect(reply.status).toBe(204);
    await untilState('applied');
    expect(receiver.requests).toHaveLength(1);
  });

  it('is signed with both secrets while one is replaced, and then with the new one alone', async () => {
    const path = 'notifications/endpoints/partner/secrets';
    const added = await harness.service.operate('post', path);
    expect(added.status).toBe(201);
    const { secret: next } = added.body as { secret: string };
    await harness.shopify(order);
    await untilState('applied');
    const [both] = receiver.requests;
    expect(both && isSigned(both, secret) && isSigned(both, next)).toBe(true);
    expect((await harness.service.operate('post', `${path}/retire`)).status).toBe(200);
    receiver.answer({ status: 200 });
    order = { ...order, id: order.id + 500, number: order.number + 500 };
    await harness.shopify(order);
    await untilState('applied');
    const [one] = receiver.requests;
    expect(one && isSigned(one, next)).toBe(true);
    expect(one && isSigned(one, secret)).toBe(false);
  });

  it.each([
    [{ name: 'Partner', url: 'https://example.com/' }, 'name'],
    [{ name: 'other', url: 'http://example.com/' }, 'https'],
    [{ name: 'other', url: 'https://user:word@example.com/' }, 'user'],
    [{ name: 'other', url: 'ftp://example.com/' }, 'https'],
    [{ name: 'other', url: 'https://example.com/', secret: 'short' }, 'whsec_'],
  ])('refuses an endpoint such as %j', async (body, word) => {
    const reply = await harness.service.operate('post', 'notifications/endpoints', body);
    expect(reply.status).toBe(422);
    expect(reply.text).toContain(word);
    expect(reply.text).not.toContain('short');
  });

  it('lists endpoints without their secrets', async () => {
    const listed = JSON.stringify(await harness.service.admin('notifications/endpoints'));
    expect(listed).toContain('"name":"partner"');
    expect(listed).not.toContain('whsec_');
  });
});
