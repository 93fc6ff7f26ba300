import { signedHeaders } from '../../src/sources/registry';
import { openTestReplicas } from '../support/database';
import { OPERATORS_KEY, TestService } from '../support/service';

const ROUNDS = 8;
const SECRET = 'a secret of the new source';

describe('sources of two replicas on one PostgreSQL', () => {
  let replicas: TestService[];

  beforeAll(async () => {
    replicas = await Promise.all((await openTestReplicas(2)).map((database) => TestService.start(database)));
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
  });

  function replica(index: number): TestService {
    const found = replicas[index % replicas.length];
    if (!found) throw new Error('no replica runs');
    return found;
  }

  async function send(to: TestService, slug: string, headers?: Record<string, string>): Promise<number> {
    const body = Buffer.from('{}');
    const message = { topic: 'orders/create', body, id: slug, secret: SECRET, sentAt: new Date() };
    return (
      await fetch(`${to.url}/hooks/main/${slug}`, {
        method: 'POST',
        headers: headers ?? signedHeaders('shopify', message),
        body,
      })
    ).status;
  }

  it('receive at the other one as soon as they are made, whatever strangers send meanwhile', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const slug = `made-${round}`;
      const strangers = Array.from({ length: 20 }, (_, index) => send(replica(round + 1), `no-${index}`));
      await replica(round)
        .http.post('/admin/organizations/main/sources')
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .send({ slug, provider: 'shopify', secrets: [SECRET] })
        .expect(201);
      expect(await send(replica(round + 1), slug)).toBe(200);
      expect(await Promise.all(strangers)).toEqual(strangers.map(() => 401));
    }
  });

  it('get the webhooks of their store at the address of another source, at the other replica, too', async () => {
    const made = (index: number, slug: string, storeId: string) =>
      replica(index)
        .http.post('/admin/organizations/main/sources')
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .send({ slug, provider: 'nuvemshop', secrets: [SECRET], settings: { storeId } })
        .expect(201);
    await made(0, 'store-1', '1');
    for (let round = 2; round < 2 + ROUNDS; round += 1) {
      await made(round, `store-${round}`, String(round));
      const body = Buffer.from(`{"store_id":${round},"event":"order/paid","id":7}`);
      const message = { topic: '', body, id: String(round), secret: SECRET, sentAt: new Date() };
      const reply = await fetch(`${replica(round + 1).url}/hooks/main/store-1`, {
        method: 'POST',
        headers: signedHeaders('nuvemshop', message),
        body,
      });
      const { delivery } = (await reply.json()) as { delivery?: string };
      const { prisma } = replica(0).database;
      const { sourceId } = await prisma.delivery.findUniqueOrThrow({ where: { id: delivery ?? '' } });
      expect(await prisma.source.findUnique({ where: { id: sourceId } })).toMatchObject({
        slug: `store-${round}`,
      });
    }
  });

  it('that are none cost the database one question a second at most', async () => {
    const { database } = replica(0);
    const asked = jest.spyOn(database, 'query');
    const questions = (): number =>
      asked.mock.calls.filter(([{ name }]) => name === 'catalog-revision').length;
    const began = performance.now();
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 100 }, (_, index) => send(replica(0), `no-${round}-${index}`)));
    const seconds = (performance.now() - began) / 1000;
    // The catalog asks once a second by itself.
    expect(questions()).toBeLessThanOrEqual(2 * Math.ceil(seconds) + 3);
    asked.mockRestore();
  });
});
