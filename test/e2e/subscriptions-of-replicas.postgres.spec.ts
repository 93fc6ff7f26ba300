import { SubscriptionMessages } from '../../src/notifications/subscriptions/subscription-messages';
import { AttentionRepository } from '../../src/workflows/attention.repository';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { openTestReplicas } from '../support/database';
import { Mailbox } from '../support/mailbox';
import { TestService } from '../support/service';
import { until } from '../support/until';

const [SUBSCRIPTIONS, ROUNDS] = [6, 5];
const ADDRESSES = Array.from({ length: SUBSCRIPTIONS }, (_, index) => `p${index}@finance.example`);

describe('two replicas that look for what there is to tell at the same time', () => {
  let replicas: TestService[];
  let mailbox: Mailbox;

  beforeAll(async () => {
    mailbox = await Mailbox.start();
    const databases = await openTestReplicas(2);
    replicas = await Promise.all(databases.map((database) => TestService.start(database, mailbox.settings)));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await mailbox.stop();
  });

  function one(): TestService {
    const [first] = replicas;
    if (!first) throw new Error('no replica');
    return first;
  }

  async function raise(key: string): Promise<void> {
    const organization = await one().database.prisma.organization.findUniqueOrThrow({
      where: { slug: 'main' },
    });
    const attention = { code: 'rule-look', detail: 'look', amount: '0' } as const;
    const item = { organization, deliveryId: null, runId: null, businessKey: key, attention };
    await one().database.transaction((tx) => one().part(AttentionRepository).record(tx, [item], new Date()));
  }

  it('make one message of each item for each subscription, and send it once', async () => {
    for (const [index, email] of ADDRESSES.entries()) {
      const wanted = { name: `s-${index}`, emails: [email], schedule: 'immediate' };
      expect((await one().operate('post', 'notifications/subscriptions', wanted)).status).toBe(201);
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      await raise(`shopify/order/${round}`);
      await one().database.prisma.$executeRaw`
        update notification_subscription set next_at = clock_timestamp() - interval '1 second'`;
      await Promise.all(replicas.map((replica) => replica.part(SubscriptionMessages).run()));
      await Promise.all(replicas.map((replica) => replica.part(DeferredWorker).run()));
    }
    const told = () => one().database.prisma.notificationTold.count();
    // One that a tick locked just then is looked at by that tick.
    await until(async () => (await told()) === SUBSCRIPTIONS * ROUNDS);
    const waiting = { where: { state: 'waiting' as const } };
    await until(async () => {
      await Promise.all(replicas.map((replica) => replica.part(DeferredWorker).run()));
      return (await one().database.prisma.deferredEffect.count(waiting)) === 0;
    });
    for (const address of ADDRESSES) {
      const texts = mailbox
        .to(address)
        .map(({ text }) => text)
        .join('\n');
      for (let round = 1; round <= ROUNDS; round += 1)
        expect(texts.split(`shopify/order/${round}:`)).toHaveLength(2);
    }
    const ids = mailbox.emails.map(({ headers }) => headers['message-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
