import { until } from '../../test/support/until';
import { openTestReplicas } from '../../test/support/database';
import type { Database } from './database';

const CHANNEL = 'ponte_delivery_stored';
const LISTENERS = {
  name: 'listeners',
  text: `select pid from pg_stat_activity where datname = current_database() and application_name = 'ponte listener'`,
};
const CUT = {
  name: 'cut',
  text: `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'ponte listener'`,
};

describe('listening', () => {
  let replicas: Database[];
  let heard: number;

  beforeEach(async () => {
    heard = 0;
    replicas = await openTestReplicas(2);
    replica(0).listen(CHANNEL, () => (heard += 1));
    // It says so once it is connected.
    await until(() => heard === 1);
  });

  afterEach(() => Promise.all(replicas.map((each) => each.close())));

  function replica(index: number): Database {
    const found = replicas[index];
    if (!found) throw new Error('no such replica');
    return found;
  }

  it('hears the notices of another process, and those of its own', async () => {
    await replica(1).notify(CHANNEL);
    await until(() => heard === 2);
    await replica(0).notify(CHANNEL);
    await until(() => heard === 3);
  });

  it('comes back when its connection was cut, as often as that happens, and says so', async () => {
    for (const times of [1, 2]) {
      const before = heard;
      expect(await replica(1).query(CUT, [])).toHaveLength(1);
      await until(() => heard === before + 1);
      expect(await replica(1).query(LISTENERS, [])).toHaveLength(1);
      await replica(1).notify(CHANNEL);
      await until(() => heard === 1 + 2 * times);
    }
  });

  it('ends with the database, and does not come back', async () => {
    await replica(0).close();
    await until(async () => (await replica(1).query(LISTENERS, [])).length === 0);
    await replica(1).notify(CHANNEL);
    expect(heard).toBe(1);
  });
});
