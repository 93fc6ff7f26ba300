import { ponte, type Ran, type RunOptions } from '../../support/command-line';
import { RecordingServer } from '../../support/recording-server';
import { hooksView } from './hook-rows';

let server: RecordingServer;

beforeAll(async () => {
  server = await RecordingServer.start();
});
afterAll(() => server.stop());

function connect(views: object[], args: string[] = [], options: RunOptions = {}): Promise<Ran> {
  server.answer(...views.map((body) => ({ status: 200, body })));
  const env = { PONTE_URL: server.url, PONTE_KEY: 'operators-key', PONTE_ORG: 'main' };
  return ponte(['sources', 'connect', 'loja', ...args], { ...options, env });
}

const asked = (): string[] => server.requests.map(({ line }) => line.split(' ')[0] ?? '');

describe('ponte sources connect', () => {
  it('asks before it changes anything, and changes nothing where the answer is no or nobody can be asked', async () => {
    const declined = await connect([hooksView()], [], { typed: 'n\n' });
    expect([declined.code, declined.stderr]).toEqual([0, expect.stringContaining('1 webhooks are made')]);
    expect(asked()).toEqual(['GET']);
    const alone = await connect([hooksView()]);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--dry-run')]);
    expect(asked()).toEqual(['GET']);
  });

  it('asks nothing where nothing has to be changed, and has the webhooks checked from then on', async () => {
    const fine = hooksView({ hooks: [] });
    const ran = await connect([fine, fine]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('Nothing has to be changed')]);
    expect(asked()).toEqual(['GET', 'POST']);
  });

  it('names the credentials that are missing, with the steps, and ends with 1', async () => {
    const missingCredentials = [{ name: 'consumerKey', description: 'of the REST API' }];
    const blocked = hooksView({
      reason: 'the source has no credentials (consumerKey)',
      missingCredentials,
      hooks: [],
      plan: null,
    });
    const ran = await connect([blocked], ['--yes']);
    expect([ran.code, ran.stdout]).toEqual([1, '1. Open the admin.\n']);
    expect(ran.stderr).toContain('Missing credential consumerKey: of the REST API');
    expect(ran.stderr).toContain('Nothing was done: the source has no credentials (consumerKey).');
    expect(asked()).toEqual(['GET']);
  });

  it('shows the steps for a person where Ponte registers nothing', async () => {
    const none = hooksView({
      registers: false,
      reason: 'Ponte does not register webhooks at Kiwify',
      plan: null,
    });
    const ran = await connect([none]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([
      0,
      '1. Open the admin.\n',
      expect.stringContaining('for a person'),
    ]);
  });

  it('ends with 1 where not everything was done', async () => {
    const step = {
      action: 'create',
      topics: ['order.created'],
      outcome: 'unknown',
      reason: 'gave no answer',
    };
    const ran = await connect([hooksView(), hooksView({ steps: [step] })], ['--yes']);
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining('gave no answer')]);
    expect(ran.stderr).toContain('Not everything was done');
  });
});
