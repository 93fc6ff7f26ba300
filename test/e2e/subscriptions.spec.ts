import { SchedulerRegistry } from '@nestjs/schedule';
import type { DemoOrder } from '../../scripts/demo/shop-orders';
import { Settings } from '../../src/config/settings';
import type { Organization } from '../../src/kernel/organization';
import { nextCheck } from '../../src/notifications/subscriptions/subscription';
import { SubscriptionMessages } from '../../src/notifications/subscriptions/subscription-messages';
import { DeferredEffects } from '../../src/workflows/deferred/deferred-effects.repository';
import { verifyStandardWebhook } from '../../src/sources/standard-webhooks/verify';
import { AttentionRepository } from '../../src/workflows/attention.repository';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { Mailbox } from '../support/mailbox';
import { OrderHarness } from '../support/order-harness';
import { type RecordedRequest, RecordingServer } from '../support/recording-server';
import { OPERATORS_KEY } from '../support/service';
import { daysPass } from '../support/time-passes';
import { until } from '../support/until';

const ANA = 'ana@finance.example';
const EVA = 'eva@finance.example';
const PRIVATE = ['Lia Campos', 'lia.campos@customer.example', 'Campos'];

let named = 0;
function newName(): string {
  named += 1;
  return `s-${named}`;
}

interface SubscriptionBody {
  name: string;
  nextAt: string;
  createdAt: string;
}

describe('who is notified of what needs a person', () => {
  let harness: OrderHarness;
  let prisma: OrderHarness['service']['database']['prisma'];
  let mailbox: Mailbox;
  let receiver: RecordingServer;
  let secret: string;
  let organization: Organization;

  beforeAll(async () => {
    mailbox = await Mailbox.start();
    receiver = await RecordingServer.start();
    harness = await OrderHarness.embedded({
      ...mailbox.settings,
      NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    ({ prisma } = harness.service.database);
    // Each test checks when it has prepared what there is to send.
    harness.service.part(SchedulerRegistry).deleteInterval('subscriptions');
    const url = `${receiver.url}/hook`;
    const made = await harness.service.operate('post', 'notifications/endpoints', { name: 'pager', url });
    secret = (made.body as { secret: string }).secret;
    organization = await prisma.organization.findUniqueOrThrow({ where: { slug: 'main' } });
  });
  afterAll(async () => {
    await harness.stop();
    await receiver.stop();
    await mailbox.stop();
  });

  beforeEach(async () => {
    await prisma.notificationTold.deleteMany();
    await prisma.notificationSubscription.deleteMany();
    await prisma.deferredEffect.updateMany({ where: { state: 'waiting' }, data: { state: 'cancelled' } });
    await prisma.attention.updateMany({ where: { resolvedAt: null }, data: { resolvedAt: new Date() } });
    mailbox.emails.length = 0;
    mailbox.refused.clear();
    mailbox.refusesData = undefined;
    receiver.answer({ status: 200 });
  });

  async function subscribe(body: object): Promise<SubscriptionBody> {
    const wanted = { name: newName(), ...body };
    const reply = await harness.service.operate('post', 'notifications/subscriptions', wanted);
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body as SubscriptionBody;
  }

  async function raise(code: 'payment-left-over' | 'rule-look' | 'source-silent', key: string, amount = '0') {
    const now = new Date();
    const attention = { code, detail: `words with ${PRIVATE.join(' and ')} for ${key}`, amount };
    await harness.service.database.transaction((tx) =>
      harness.service
        .part(AttentionRepository)
        .record(tx, [{ organization, deliveryId: null, runId: null, businessKey: key, attention }], now),
    );
  }

  /** The time has come for all subscriptions, and what comes of it is sent. */
  async function look(): Promise<void> {
    await due();
    await harness.service.part(SubscriptionMessages).run();
    await send();
  }

  async function due(): Promise<void> {
    await prisma.$executeRaw`
      update notification_subscription set next_at = clock_timestamp() - interval '1 second'`;
  }

  /** Waits until every message was tried once at least. */
  async function send(): Promise<void> {
    const untried = () =>
      prisma.deferredEffect.count({
        where: { state: 'waiting', attempts: 0, deliveryId: null },
      });
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return (await untried()) === 0;
    });
  }

  function messages(name: string) {
    return prisma.deferredEffect.findMany({
      where: { rule: name, deliveryId: null },
      orderBy: { key: 'asc' },
    });
  }

  async function sentTo(address: string, count: number): Promise<void> {
    await until(() => mailbox.to(address).length >= count);
  }

  it('sends what is open in one digest first, then only what is new', async () => {
    await raise('payment-left-over', 'shopify/order/1', '30');
    await raise('payment-left-over', 'shopify/order/2', '12.50');
    await raise('rule-look', 'shopify/order/3');
    const { name } = await subscribe({ emails: [ANA, EVA], schedule: 'immediate' });
    await look();
    expect(mailbox.to(ANA)).toHaveLength(1);
    expect(mailbox.to(EVA)).toHaveLength(1);
    const [digest] = mailbox.to(ANA);
    expect(digest?.headers['subject']).toContain('3 matters need a person');
    expect(digest?.text).toContain('2 × payment-left-over: R$42.50');
    expect(digest?.text.indexOf('shopify/order/1')).toBeLessThan(
      digest?.text.indexOf('shopify/order/3') ?? 0,
    );
    expect(digest?.headers['to']).toBe(ANA);

    await look();
    expect(mailbox.emails).toHaveLength(2);
    await raise('rule-look', 'shopify/order/4');
    await look();
    expect(mailbox.to(ANA)).toHaveLength(2);
    expect(mailbox.to(ANA)[1]?.text).toContain('shopify/order/4');
    expect(mailbox.to(ANA)[1]?.text).not.toContain('shopify/order/3');
    const states = (await messages(name)).map(({ state }) => state);
    expect(states).toEqual(['applied', 'applied', 'applied', 'applied']);
    const key = { organizationId: organization.id, key: (await messages(name))[0]?.key ?? '' };
    const effect = await prisma.effect.findUniqueOrThrow({
      where: { organizationId_key: key },
    });
    expect(effect).toMatchObject({ operation: 'email.send', state: 'applied' });
  });

  it('remembers no longer what it told of once that is resolved', async () => {
    await raise('payment-left-over', 'shopify/order/4', '30');
    await subscribe({ emails: [ANA], schedule: 'immediate' });
    await look();
    expect(await prisma.notificationTold.count()).toBe(1);
    await prisma.attention.updateMany({ where: { resolvedAt: null }, data: { resolvedAt: new Date() } });
    await look();
    expect(await prisma.notificationTold.count()).toBe(0);
  });

  it('sends nothing where there is nothing to tell', async () => {
    const { name } = await subscribe({ emails: [ANA], schedule: 'hourly' });
    await look();
    expect(await messages(name)).toEqual([]);
  });

  it('looks at the time of the zone, and leaves out what was resolved before', async () => {
    await prisma.organization.update({
      where: { slug: 'main' },
      data: { timeZone: 'Pacific/Auckland' },
    });
    const before = new Date();
    const schedule = { schedule: 'daily', atMinute: 485 } as const;
    const { name, nextAt } = await subscribe({ emails: [ANA], schedule: 'daily', at: '08:05' });
    const expected = [before, new Date()].map((now) =>
      nextCheck(schedule, now, 'Pacific/Auckland').toISOString(),
    );
    expect(expected).toContain(nextAt);
    await raise('payment-left-over', 'shopify/order/11', '10');
    await raise('rule-look', 'shopify/order/12');
    await harness.service.part(SubscriptionMessages).run();
    expect(await messages(name)).toEqual([]);
    const { items } = (await harness.service.admin('attention')) as {
      items: { id: string; businessKey: string }[];
    };
    const resolved = items.find(({ businessKey }) => businessKey === 'shopify/order/12');
    const path = `attention/${resolved?.id ?? ''}/resolve`;
    expect((await harness.service.operate('post', path, { reason: 'done' })).status).toBeLessThan(300);
    await look();
    const [digest] = mailbox.to(ANA);
    expect(digest?.text).toContain('shopify/order/11');
    expect(digest?.text).not.toContain('shopify/order/12');
    const row = await prisma.notificationSubscription.findFirstOrThrow({
      where: { name },
    });
    expect(row.nextAt.getTime()).toBeGreaterThan(Date.now());
    expect(expected.map((text) => text.slice(11))).toContain(row.nextAt.toISOString().slice(11));
    await prisma.organization.update({
      where: { slug: 'main' },
      data: { timeZone: organization.timeZone },
    });
  });

  it('speaks Portuguese where that is chosen, and names nobody', async () => {
    await raise('payment-left-over', 'shopify/order/21', '1234.56');
    await subscribe({ emails: [ANA], schedule: 'daily', at: '08:00', language: 'pt-BR' });
    await look();
    const [digest] = mailbox.to(ANA);
    expect(digest?.headers['subject']).toContain('1 item precisa de uma pessoa');
    expect(digest?.text).toContain('R$ 1.234,56');
    expect(digest?.text).toContain('Um pagamento foi maior do que estava em aberto');
    for (const word of PRIVATE) expect(digest?.raw).not.toContain(word);
    expect(digest?.html).toContain('<html lang="pt-BR">');
  });

  it('tells of dead letters, without the customer, once, and forgets them when they are dealt with', async () => {
    const order: DemoOrder = {
      ...{ id: 8_930_000_000_001, number: 31, total: '100.00', name: 'Lia Campos' },
      ...{ document: '111.111.111-11', email: 'lia.campos@customer.example', instalments: 1 },
    };
    await harness.shopify(order);
    const { id, state } = await harness.lastDelivery();
    expect(state).toBe('dead');
    await subscribe({ emails: [ANA], schedule: 'immediate', about: ['dead-letters'] });
    await look();
    const [email] = mailbox.to(ANA);
    expect(email?.text).toContain(`shopify/order/${order.id}`);
    expect(email?.text).toContain(`ponte deliveries show ${id} --org main`);
    for (const word of [...PRIVATE, '111.111.111']) expect(email?.raw).not.toContain(word);
    await look();
    expect(mailbox.to(ANA)).toHaveLength(1);
    const discarded = await harness.service.operate('post', `dead-letters/${id}/discard`, { reason: 'test' });
    expect(discarded.status).toBeLessThan(300);
    await look();
    expect(await prisma.notificationTold.count()).toBe(0);
  });

  it('is about what was asked for alone', async () => {
    await subscribe({ emails: [ANA], schedule: 'immediate', about: ['sources', 'payment-left-over'] });
    await subscribe({ emails: [EVA], schedule: 'immediate', about: ['rules'] });
    await raise('payment-left-over', 'shopify/order/41', '1');
    await raise('source-silent', 'source/shopify');
    await raise('rule-look', 'shopify/order/43');
    await look();
    expect(mailbox.to(ANA)[0]?.text).toMatch(/shopify\/order\/41[^]*source\/shopify/);
    expect(mailbox.to(ANA)[0]?.text).not.toContain('shopify/order/43');
    expect(mailbox.to(EVA)[0]?.text).toContain('shopify/order/43');
    expect(mailbox.to(EVA)[0]?.text).not.toContain('shopify/order/41');
  });

  it('tells of books that differ, once for each number of differences', async () => {
    const { id: sourceId } = await prisma.source.findFirstOrThrow({ where: { slug: 'shopify' } });
    const row = {
      ...{ checkedDay: new Date('2026-11-24'), checkedAt: new Date(), fromDay: new Date('2026-11-01') },
      ...{ compared: 10, differences: 3, repairable: 1, dueAt: new Date('2100-01-01') },
    };
    await prisma.completenessCheck.upsert({ where: { sourceId }, create: { sourceId, ...row }, update: row });
    await subscribe({ emails: [ANA], schedule: 'hourly', about: ['completeness'] });
    await look();
    await look();
    expect(mailbox.to(ANA)).toHaveLength(1);
    expect(mailbox.to(ANA)[0]?.text).toContain('3 differences');
    expect(mailbox.to(ANA)[0]?.text).toContain(
      'ponte completeness --org main --source shopify --from 2026-11-01 --to 2026-11-24',
    );
    await prisma.completenessCheck.update({ where: { sourceId }, data: { differences: 4 } });
    await look();
    expect(mailbox.to(ANA)[1]?.text).toContain('4 differences');
    await prisma.completenessCheck.update({ where: { sourceId }, data: { differences: 0 } });
    await look();
    expect(mailbox.to(ANA)).toHaveLength(2);
  });

  it('signs what an endpoint is told', async () => {
    await subscribe({ endpoint: 'pager', schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/51', '30');
    await look();
    await raise('payment-left-over', 'shopify/order/52', '12.50');
    await raise('rule-look', 'shopify/order/53');
    await look();
    const [one, several] = receiver.requests as [RecordedRequest, RecordedRequest];
    for (const { headers, body } of [one, several]) {
      const request = {
        headers: headers as Record<string, string>,
        rawBody: Buffer.from(body),
        ...{ method: 'POST', query: {} },
      };
      expect(verifyStandardWebhook(request, [secret], {}, new Date()).ok).toBe(true);
    }
    expect(JSON.parse(one.body)).toMatchObject({
      type: 'attention.required',
      data: {
        ...{ organization: 'main', kind: 'attention', code: 'payment-left-over' },
        ...{ businessKey: 'shopify/order/51', value: '30.00', currency: 'BRL' },
        path: '/admin/organizations/main/attention',
      },
    });
    expect(JSON.parse(several.body)).toMatchObject({
      type: 'attention.digest',
      data: {
        ...{ organization: 'main', count: 2, more: 0, continues: false },
        totals: [
          { code: 'payment-left-over', count: 1, sums: [{ value: '12.50', currency: 'BRL' }] },
          { code: 'rule-look', count: 1, sums: [] },
        ],
        items: [{ businessKey: 'shopify/order/52' }, { businessKey: 'shopify/order/53' }],
      },
    });
    for (const word of PRIVATE) expect(one.body + several.body).not.toContain(word);
  });

  it('loses nothing and doubles nothing where it crashes between telling and storing', async () => {
    const { name } = await subscribe({ emails: [ANA], schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/61', '30');
    const effects = harness.service.part(DeferredEffects);
    const crash = jest.spyOn(effects, 'store').mockRejectedValueOnce(new Error('the machine is gone'));
    await due();
    await harness.service.part(SubscriptionMessages).run();
    crash.mockRestore();
    expect(await prisma.notificationTold.count()).toBe(0);
    expect(await messages(name)).toEqual([]);
    await look();
    await look();
    expect(mailbox.to(ANA)).toHaveLength(1);
  });

  it('sends again with the same Message-ID where it crashes between sending and storing', async () => {
    const { name } = await subscribe({ emails: [ANA], schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/62', '30');
    const effects = harness.service.part(DeferredEffects);
    const crash = jest
      .spyOn(effects, 'recordOutside')
      .mockRejectedValueOnce(new Error('the machine is gone'));
    await look();
    await sentTo(ANA, 1);
    crash.mockRestore();
    await until(async () => (await messages(name))[0]?.attempts === 1);
    await daysPass(harness.service.database, 1);
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return (await messages(name))[0]?.state === 'applied';
    });
    const [first, second] = mailbox.to(ANA);
    expect(mailbox.to(ANA)).toHaveLength(2);
    expect(second?.headers['message-id']).toMatch(/^<msg_[0-9a-f]{40}@example\.com>$/);
    expect(second?.headers['message-id']).toBe(first?.headers['message-id']);
    expect(second?.headers['date']).toBe(first?.headers['date']);
  });

  it('leaves a refused recipient to a person, and tells the others, but not the recipient of it', async () => {
    mailbox.refused.set(ANA, 550);
    const { name } = await subscribe({ emails: [ANA, EVA], schedule: 'immediate' });
    await subscribe({ name: 'other', emails: [EVA], schedule: 'immediate', about: ['notification-failed'] });
    await raise('payment-left-over', 'shopify/order/71', '30');
    await look();
    expect(mailbox.to(EVA)).toHaveLength(1);
    const states = (await messages(name)).map(({ state, reason }) => [state, reason]);
    expect(states).toContainEqual(['applied', null]);
    expect(states).toContainEqual(['refused', 'the mail server refused the recipient with 550']);
    await look();
    await raise('payment-left-over', 'shopify/order/72', '30');
    await look();
    const told = mailbox.to(EVA).map(({ text }) => text);
    expect(told.filter((text) => text.includes(`subscription/${name}:`))).toHaveLength(1);
    const failed = await prisma.attention.findMany({
      where: { code: 'notification-failed', resolvedAt: null, businessKey: `subscription/${name}` },
    });
    expect(failed).toHaveLength(1);
    expect(JSON.stringify(failed[0]?.detail)).not.toContain(ANA);
  });

  it('does not go on for ever where two subscriptions fail and tell of each other', async () => {
    mailbox.refused.set(ANA, 550).set(EVA, 550);
    await subscribe({ emails: [ANA], schedule: 'immediate' });
    await subscribe({ emails: [EVA], schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/81', '30');
    for (let round = 0; round < 4; round += 1) await look();
    const count = await prisma.deferredEffect.count({ where: { deliveryId: null } });
    await look();
    await look();
    expect(await prisma.deferredEffect.count({ where: { deliveryId: null } })).toBe(count);
  });

  it('tries again where a message is put off, or refused for what the server cannot do just now', async () => {
    mailbox.refused.set(ANA, 450);
    const { name } = await subscribe({ emails: [ANA], schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/91', '30');
    await look();
    expect((await messages(name))[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    mailbox.refused.clear();
    await daysPass(harness.service.database, 1);
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return mailbox.to(ANA).length === 1;
    });
  });

  it('waits while the mail server is down, and sends when it is up', async () => {
    const { name } = await subscribe({ emails: [ANA], schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/92', '30');
    await mailbox.stop();
    await look();
    expect((await messages(name))[0]).toMatchObject({
      ...{ state: 'waiting', attempts: 1 },
      reason: 'the mail server cannot be reached (ECONNREFUSED)',
    });
    mailbox = await Mailbox.start({}, mailbox.port);
    await daysPass(harness.service.database, 1);
    await until(async () => {
      await harness.service.part(DeferredWorker).run();
      return mailbox.to(ANA).length === 1;
    });
  });

  it('gives a message another id than one of a lost state, unless it tells of the same', async () => {
    const { name } = await subscribe({ endpoint: 'pager', schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/93', '30');
    await look();
    await restoreBefore(name);
    await look();
    await restoreBefore(name);
    await raise('payment-left-over', 'shopify/order/94', '30');
    await look();
    const [lost, same, other] = receiver.requests.slice(-3).map(({ headers }) => headers['webhook-id']);
    expect(same).toBe(lost);
    expect(other).not.toBe(lost);
  });

  /** As a backup of the time before its first message has it. */
  async function restoreBefore(name: string): Promise<void> {
    await prisma.effect.deleteMany({ where: { key: { startsWith: `notification/${name}/` } } });
    await prisma.deferredEffect.deleteMany({ where: { rule: name } });
    await prisma.notificationTold.deleteMany();
    await prisma.notificationSubscription.updateMany({ where: { name }, data: { messages: 0 } });
  }

  it('sends nothing more after it is removed, also what waited', async () => {
    mailbox.refused.set(ANA, 450);
    const { name } = await subscribe({ emails: [ANA], schedule: 'immediate' });
    await raise('payment-left-over', 'shopify/order/95', '30');
    await look();
    mailbox.refused.clear();
    await harness.service.http
      .delete(`/admin/organizations/main/notifications/subscriptions/${name}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .expect(204);
    await daysPass(harness.service.database, 1);
    await harness.service.part(DeferredWorker).run();
    await raise('payment-left-over', 'shopify/order/96', '30');
    await look();
    expect(mailbox.emails).toEqual([]);
    expect((await messages(name))[0]).toMatchObject({
      state: 'cancelled',
      reason: 'its subscription was removed',
    });
    expect(await prisma.notificationTold.count()).toBe(0);
  });

  it('lets nothing end a header', async () => {
    await prisma.organization.update({
      where: { slug: 'main' },
      data: { name: 'Main\r\nBcc: eve@evil.example\r\n\r\n<script>' },
    });
    await raise('rule-look', 'shopify/order/1\r\nBcc: eve@evil.example');
    await raise('rule-look', '<img src=x>&/who@customer.example');
    await subscribe({ emails: [ANA], schedule: 'immediate' });
    await look();
    await prisma.organization.update({
      where: { slug: 'main' },
      data: { name: organization.name },
    });
    const [email] = mailbox.to(ANA);
    expect(email?.to).toEqual([ANA]);
    expect(email?.headerNames.map((name) => name.toLowerCase())).not.toContain('bcc');
    expect(email?.html).not.toMatch(/<script>|<img/);
    expect(email?.html).toContain('&lt;img src=x&gt;&amp;/…@…');
  });

  it.each([
    [{ emails: ['Ana <ana@finance.example>'], schedule: 'hourly' }, '/emails/0'],
    [{ emails: ['ana@finance.example\r\nBcc: eve@evil.example'], schedule: 'hourly' }, '/emails'],
    [{ emails: [ANA, 'ANA@finance.example'], schedule: 'hourly' }, '/emails/1'],
    [
      { emails: Array.from({ length: 21 }, (_, n) => `a${n}@finance.example`), schedule: 'hourly' },
      '/emails',
    ],
    [{ schedule: 'hourly' }, '/emails'],
    [{ endpoint: 'nobody', schedule: 'hourly' }, '/endpoint'],
    [{ emails: [ANA], schedule: 'weekly' }, '/schedule'],
    [{ emails: [ANA], schedule: 'daily' }, '/at'],
    [{ emails: [ANA], schedule: 'daily', at: '25:00' }, '/at'],
    [{ emails: [ANA], schedule: 'hourly', at: '08:00' }, '/at'],
    [{ emails: [ANA], schedule: 'hourly', language: 'de' }, '/language'],
    [{ emails: [ANA], schedule: 'hourly', about: ['weather'] }, '/about/0'],
    [{ name: 'Ana', emails: [ANA], schedule: 'hourly' }, '/name'],
  ])('refuses %j', async (body, pointer) => {
    const wanted = { name: 'refused', ...body };
    const reply = await harness.service.operate('post', 'notifications/subscriptions', wanted);
    expect(reply.status).toBe(422);
    expect((reply.body as { errors: { pointer: string }[] }).errors[0]?.pointer).toBe(pointer);
  });

  it('is listed, refused under a name that is taken, and stands in the audit log', async () => {
    const { name } = await subscribe({ emails: [ANA], schedule: 'daily', at: '08:30', about: ['rule-look'] });
    const { items } = (await harness.service.admin('notifications/subscriptions')) as { items: object[] };
    expect(items).toMatchObject([
      { name, emails: [ANA], endpoint: null, at: '08:30', language: 'en', about: ['rule-look'] },
    ]);
    const again = await harness.service.operate('post', 'notifications/subscriptions', {
      ...{ name, emails: [ANA], schedule: 'hourly' },
    });
    expect(again.status).toBe(409);
    expect(JSON.stringify(await harness.service.admin('audit?limit=1'))).toContain('subscription.create');
  });

  it('has at most 50 subscriptions', async () => {
    for (let count = 0; count < 50; count += 1) await subscribe({ emails: [ANA], schedule: 'hourly' });
    const wanted = { name: newName(), emails: [ANA], schedule: 'hourly' };
    expect((await harness.service.operate('post', 'notifications/subscriptions', wanted)).status).toBe(409);
  });

  it('does not begin where there is no mail server', async () => {
    expect(harness.service.part(Settings).mailServer).toBeDefined();
    const without = await OrderHarness.embedded();
    try {
      const wanted = { name: 'finance', emails: [ANA], schedule: 'hourly' };
      const reply = await without.service.operate('post', 'notifications/subscriptions', wanted);
      expect(reply.status).toBe(422);
      expect(reply.text).toContain('SMTP_URL');
    } finally {
      await without.stop();
    }
  });
});
