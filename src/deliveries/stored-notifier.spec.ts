import { Settings } from '../config/settings';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { openTestDatabase } from '../../test/support/database';
import { until } from '../../test/support/until';
import { Inbox } from './inbox';
import { StoredNotifier } from './stored-notifier';
import type { Worker } from './worker';

const DATABASE_URL = 'postgresql://nobody@127.0.0.1/none';
const SECRETS_KEY = Buffer.alloc(32).toString('base64');

describe('the news that something is stored', () => {
  let database: Database;
  let inbox: Inbox;
  /** Ends what is being told. */
  let tellings: { end: () => void; fail: (error: Error) => void }[];
  let listening: (() => void)[];
  let woken: number;
  let stored = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(() => {
    [tellings, listening, woken] = [[], [], 0];
    inbox = new Inbox(database);
    jest
      .spyOn(database, 'notify')
      .mockImplementation(() => new Promise((end, fail) => tellings.push({ end, fail })));
    jest.spyOn(database, 'listen').mockImplementation((_channel, heard) => void listening.push(heard));
  });

  afterEach(() => jest.restoreAllMocks());

  function start(role: string): void {
    const worker = { wake: () => (woken += 1) } as unknown as Worker;
    const settings = new Settings({ ROLE: role, DATABASE_URL, SECRETS_KEY });
    new StoredNotifier(database, settings, inbox, worker).onApplicationBootstrap();
  }

  async function store(): Promise<void> {
    stored += 1;
    const identity = { topic: 't', dedupeKey: `${stored}`, orderingKey: `${stored}`, attributes: {} };
    const ids = { organizationId: newId(), sourceId: newId() };
    await inbox.accept({ ...ids, identity, body: Buffer.from('{}'), receivedAt: new Date() });
  }

  it('is told at once, and once for whatever is stored while it is told', async () => {
    start('api');
    await store();
    expect(tellings).toHaveLength(1);
    for (let more = 0; more < 3; more += 1) await store();
    expect(tellings).toHaveLength(1);
    tellings[0]?.end();
    await until(() => tellings.length === 2);
    tellings[1]?.end();
    await store();
    await until(() => tellings.length === 3);
  });

  it('is told again after it could not be', async () => {
    start('api');
    await store();
    tellings[0]?.fail(new Error('connection closed'));
    await store();
    await until(() => tellings.length === 2);
  });

  it('wakes a process that only works', () => {
    start('worker');
    listening.forEach((heard) => heard());
    expect(woken).toBe(1);
  });

  it('is neither told nor listened to where one process does both', async () => {
    start('all');
    await store();
    expect([tellings, listening]).toEqual([[], []]);
  });
});
