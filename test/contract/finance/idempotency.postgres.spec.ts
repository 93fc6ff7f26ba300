import { FinanceClient, idOf, problemOf, refusalOf } from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';
import { until } from '../../support/until';
import { WRITING_REQUESTS } from '../../support/writing-requests';

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
});
afterAll(() => testing.close());

/** Takes a key as another process would that is still at work, and gives it back. */
async function hold(key: string): Promise<{ letGo(): Promise<void> }> {
  const { id } = client.company.organization;
  let taken = (): void => undefined;
  let letGo = (): void => undefined;
  const isTaken = new Promise<void>((resolve) => (taken = resolve));
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  const held = testing.database
    .transaction(async (tx) => {
      await tx.$executeRaw`insert into idempotency_record (organization_id, key, request)
                           values (${id}::uuid, ${key}, sha256('another'))`;
      taken();
      await isLetGo;
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await isTaken;
  return {
    letGo: async () => {
      letGo();
      await held;
    },
  };
}

async function makeCustomer(key: string) {
  return testing.http
    .post('/v1/customers')
    .set({ apitoken: client.key, 'idempotency-key': key })
    .send({ name: 'Lia Campos' });
}

describe('a request whose key belongs to one that is still under way', () => {
  it('is told to come back, and has taken no effect', async () => {
    const holder = await hold('k');
    const reply = await makeCustomer('k');
    expect(problemOf(reply)).toEqual({
      type: 'urn:ponte:problem:idempotency-key-in-use',
      title: 'A request with this Idempotency-Key is under way',
      status: 409,
      detail: 'A request with this Idempotency-Key is still under way',
      error: 'idempotency-key-in-use',
      error_description: 'A request with this Idempotency-Key is still under way',
    });
    expect(reply.headers['retry-after']).toBe('1');
    const { prisma } = testing.database;
    expect(
      await prisma.stakeholder.count({ where: { organizationId: client.company.organization.id } }),
    ).toBe(0);
    await holder.letGo();
    const again = await makeCustomer('k');
    idOf(again);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('whose answer is removed for its age at that moment is a new one, and is answered', async () => {
    const first = await makeCustomer('old');
    let again: ReturnType<typeof makeCustomer> | undefined;
    await testing.database.transaction(async (tx) => {
      await tx.$executeRaw`
        delete from idempotency_record where organization_id = ${client.company.organization.id}::uuid and key = 'old'`;
      again = makeCustomer('old').then((reply) => reply);
      await until(async () => {
        const [row] = await tx.$queryRaw<{ waits: boolean }[]>`
          select exists (select from pg_locks where not granted and locktype = 'transactionid') as waits`;
        return row?.waits === true;
      });
    });
    const reply = await again!;
    expect(idOf(reply)).not.toBe(idOf(first));
    expect(reply.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('is told so by every operation that writes', async () => {
    const holder = await hold('k');
    const refusals = Object.values(WRITING_REQUESTS).map(async (prepare) => {
      const { method, path, json } = await prepare(client);
      const request = testing.http[method](`/v1${path}`).set({
        apitoken: client.key,
        'idempotency-key': 'k',
      });
      return refusalOf(await (json ? request.set('content-type', 'application/json').send(json) : request));
    });
    const told = await Promise.all(refusals);
    expect(new Set(told)).toEqual(new Set(['409 idempotency-key-in-use']));
    await holder.letGo();
  });

  it('does not keep other keys waiting', async () => {
    const holder = await hold('k');
    idOf(await makeCustomer('another'));
    await holder.letGo();
  });

  it('waits for it a moment, and takes effect when the other has not', async () => {
    const holder = await hold('k');
    const waiting = makeCustomer('k');
    await untilWaiting();
    await holder.letGo();
    idOf(await waiting);
  });
});

/** Until a connection of the database waits for another's lock. */
async function untilWaiting(): Promise<void> {
  const { prisma } = testing.database;
  for (;;) {
    const [row] = await prisma.$queryRaw<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()`;
    if (row?.waiting) return;
  }
}
