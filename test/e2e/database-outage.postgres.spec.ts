import type { Response } from 'supertest';
import type { Database } from '../../src/database/database';
import { PostgresDatabase } from '../../src/database/postgres.database';
import { testDatabasePlace, type TestDatabasePlace } from '../support/database';
import { OPERATORS_KEY, TestService } from '../support/service';
import { BreakableRoute } from '../support/breakable-route';

let place: TestDatabasePlace;
let way: BreakableRoute;
let service: TestService;
let bystander: Database;
let key: string;

beforeAll(async () => {
  place = await testDatabasePlace();
  const url = place.environment['DATABASE_URL']!;
  way = await BreakableRoute.to(url);
  bystander = await PostgresDatabase.open(url);
  service = await TestService.start(await PostgresDatabase.open(way.url));
  const reply = await service.http
    .post('/admin/organizations/main/keys')
    .set('authorization', `Bearer ${OPERATORS_KEY}`)
    .send({ name: 'a client', scopes: ['finance:read', 'finance:write'] });
  key = (reply.body as { key: string }).key;
});
afterAll(async () => {
  await service.stop();
  await way.cut();
  await bystander.close();
  await place.drop();
});

const makeCustomer = async (idempotencyKey: string): Promise<Response> =>
  service.http
    .post('/v1/customers')
    .set({ apitoken: key, 'idempotency-key': idempotencyKey })
    .send({ name: 'Lia Campos' });

function expectUnavailable(reply: Response): void {
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(reply.headers['retry-after']).toBe('5');
  const { instance, ...problem } = reply.body as Record<string, unknown>;
  expect(instance).toMatch(/^urn:uuid:/);
  const detail =
    'The database cannot be reached; a request that was to write may or may not have taken effect';
  expect(problem).toEqual({
    type: 'urn:ponte:problem:unavailable',
    title: 'Ponte cannot reach its database; try again shortly',
    status: 503,
    detail,
    error: 'unavailable',
    error_description: detail,
  });
}

describe('while the database cannot be reached', () => {
  it('both APIs say so, and work again when it is back', async () => {
    await way.cut();
    try {
      expectUnavailable(await makeCustomer('outage'));
      expectUnavailable(await service.http.get('/v1/accounts').set('apitoken', key));
      expectUnavailable(
        await service.http.get('/admin/organizations').set('authorization', `Bearer ${OPERATORS_KEY}`),
      );
    } finally {
      await way.mend();
    }
    expect((await makeCustomer('outage')).status).toBe(200);
    expect((await service.http.get('/v1/accounts').set('apitoken', key)).status).toBe(200);
  });

  it('a request whose connection the server ends is told the same, and has taken no effect', async () => {
    const { id } = await bystander.prisma.organization.findFirstOrThrow({ where: { slug: 'main' } });
    let reply: Response | undefined;
    await bystander
      .transaction(async (tx) => {
        await tx.$executeRaw`insert into idempotency_record (organization_id, key, request)
                             values (${id}::uuid, 'ended', sha256('another'))`;
        const waiting = makeCustomer('ended');
        let ended = 0;
        while (ended === 0)
          ended = await tx.$executeRaw`
            select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
             where not granted and datname = current_database()`;
        reply = await waiting;
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expectUnavailable(reply!);
    const again = await makeCustomer('ended');
    expect(again.status).toBe(200);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });
});
