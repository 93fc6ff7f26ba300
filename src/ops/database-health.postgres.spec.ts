import { PostgresDatabase } from '../database/postgres.database';
import { testDatabasePlace, type TestDatabasePlace } from '../../test/support/database';
import { TestService } from '../../test/support/service';

describe('readiness, as long as the database answers', () => {
  let place: TestDatabasePlace;
  let database: PostgresDatabase;
  let service: TestService;

  beforeAll(async () => {
    place = await testDatabasePlace();
    database = await PostgresDatabase.open(place.environment['DATABASE_URL']!);
    service = await TestService.start(database);
  });
  afterAll(async () => {
    await service.stop();
    await place.drop();
  });

  it('does not wait for a connection of those that work: all may be taken, and more be waited for', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let taken = 0;
    const working = Array.from({ length: 20 }, () =>
      database.transaction(async (tx) => {
        await tx.$queryRaw`select 1`;
        taken += 1;
        await held;
      }),
    );
    while (taken < 10) await new Promise(setImmediate);
    const { status, body } = await service.http.get('/health/ready');
    letGo();
    await Promise.all(working);
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('"database"')]);
  });

  it('uses a connection of the pool where the server takes no more connections', async () => {
    const full = jest
      .spyOn(database['probes'], 'run')
      .mockRejectedValue(Object.assign(new Error('sorry, too many clients already'), { code: '53300' }));
    await service.http.get('/health/ready').expect(200);
    expect(full).toHaveBeenCalled();
  });

  it.each([
    ['53100', "the disk of the database's server is full"],
    ['53200', "the database's server has no memory left"],
    ['58030', "the database's server cannot read or write its files"],
  ])(
    'is degraded where the server refuses what is to be stored, with the reason: %s',
    async (code, shortage) => {
      const text = `do $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`;
      await expect(database.query({ name: `shortage_${code}`, text }, [])).rejects.toThrow(shortage);
      const { status, body } = await service.http.get('/health/ready');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'degraded',
        reasons: expect.arrayContaining([
          {
            source: 'database-shortage',
            reason: `${shortage}; it refused a statement within the last minute`,
          },
        ]) as unknown,
      });
    },
  );
});
