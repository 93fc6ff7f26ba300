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

describe('the notice that something is stored', () => {
  let database: Database;
  let inbox: Inbox;
  /** Ends the notification under way. */
  let notices: { end: () => void; fail: (error: Error) => void }[];
  let listening: (() => void)[];
  let woken: number;
  let stored = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(() => {
    [notices, listening, woken] = [[], [], 0];
    inbox = new Inbox(database);
    jest
      .spyOn(database, 'notify')
      .mockImplementation(() => new Promise((end, fail) => notices.push({ end, fail })));
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

  it('is sent at once, and once for whatever is stored while it is sent', async () => {
    start('api');
    await store();
    expect(notices).toHaveLength(1);
    for (let more = 0; more < 3; more += 1) await store();
    expect(notices).toHaveLength(1);
    notices[0]?.end();
    await until(() => notices.length === 2);
    notices[1]?.end();
    await store();
    await until(() => notices.length === 3);
  });

  it('is sent again after it could not be', async () => {
    start('api');
    await store();
    notices[0]?.fail(new Error('connection closed'));
    await store();
    await until(() => notices.length === 2);
  });

  it('wakes a process that only works', () => {
    start('worker');
    listening.forEach((heard) => heard());
    expect(woken).toBe(1);
  });

  it('is neither sent nor listened to where one process does both', async () => {
    start('all');
    await store();
    expect([notices, listening]).toEqual([[], []]);
  });
});
