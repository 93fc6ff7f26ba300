import type supertest from 'supertest';
import { kiwify } from '../../src/sources/kiwify/kiwify';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { ponte } from '../support/command-line';
import { OPERATORS_KEY, TestService } from '../support/service';
import { readFixture } from '../support/source-cases';

const TOKEN = 'the token of the webhook';

describe('a provider that signs in the address, at the whole service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
    const made = await service.operate('post', 'sources', {
      slug: 'cursos',
      provider: 'kiwify',
      secrets: [TOKEN],
    });
    expect(made.status).toBe(201);
  });

  afterAll(() => service.stop());

  /** A webhook as Kiwify sends it; absent: of a sale shared with others. */
  function webhook(secret: string, file = 'order-approved-shared.json'): supertest.Test {
    const body = readFixture('kiwify', file);
    const message = { secret, body, topic: '', id: '', sentAt: new Date() };
    return service.http
      .post('/hooks/main/cursos')
      .query(kiwify.signQuery?.(message) ?? {})
      .set(kiwify.sign(message))
      .serialize((bytes) => bytes as unknown as string)
      .send(body);
  }

  it('refuses a webhook with the signature of another token, or with none', async () => {
    const bare = await service.http.post('/hooks/main/cursos').send({ order_id: '1' });
    expect([bare.status, (await webhook('another token')).status]).toEqual([401, 401]);
  });

  it('books a sale once, so that the account has what is paid out', async () => {
    const replies = [await webhook(TOKEN), await webhook(TOKEN)];
    expect(replies.map(({ status, body }) => [status, (body as { duplicate?: boolean }).duplicate])).toEqual([
      [200, false],
      [200, true],
    ]);
    await service.settle();
    const { prisma } = service.database;
    const sums = await prisma.entry.groupBy({ by: ['kind'], _sum: { amountMinor: true } });
    const sumOf = new Map(sums.map(({ kind, _sum }) => [kind, _sum.amountMinor]));
    // 200.00 from the buyer; 20.47 for Kiwify, 60.00 for an affiliate and a co-producer; 119.53 are paid out.
    expect([sumOf.get('receipt'), sumOf.get('payment')]).toEqual([20_000n, 2_047n + 6_000n]);
    expect((await verifyLedger(prisma)).difference).toBeUndefined();
  });

  it('books a chargeback beside its sale, and asks what became of the fee', async () => {
    await webhook(TOKEN, 'chargeback.json');
    await service.settle();
    const { prisma } = service.database;
    const { id } = await prisma.delivery.findFirstOrThrow({ where: { topic: 'chargeback' } });
    const payments = await prisma.entry.findMany({
      where: { kind: 'payment', amountMinor: { in: [59_580n, 14_597n] } },
      select: { date: true, amountMinor: true },
      orderBy: { date: 'asc' },
    });
    expect(payments).toEqual([
      { date: new Date('2026-07-15'), amountMinor: 14_597n },
      { date: new Date('2026-08-03'), amountMinor: 59_580n },
    ]);
    expect(await prisma.attention.findMany({ where: { deliveryId: id }, select: { code: true } })).toEqual([
      { code: 'order-differs' },
    ]);
  });

  it('asks for the commission of a sale of somebody else', async () => {
    await webhook(TOKEN, 'order-approved-as-affiliate.json');
    await service.settle();
    const { prisma } = service.database;
    const key = 'cursos/order/3f0c0009-7a10-4c7e-9a51-0c5d1e2f0009';
    expect(await prisma.attention.findMany({ where: { businessKey: key }, select: { code: true } })).toEqual([
      { code: 'order-differs' },
    ]);
    expect(await prisma.schedule.count({ where: { reference: key } })).toBe(0);
  });

  it('takes what ponte send sends as Kiwify', async () => {
    const line =
      'send --source main/cursos --provider kiwify --fixture kiwify/order-approved --secret-stdin --json';
    const env = { PONTE_URL: service.url, ADMIN_API_KEY: OPERATORS_KEY, PONTE_ORG: 'main' };
    const ran = await ponte(line.split(' '), { input: `${TOKEN}\n`, env });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ duplicate: false });
  });
});
