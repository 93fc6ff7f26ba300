import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readConfiguration } from './configuration';
import { SettingError } from './settings';

describe('the configuration folder', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ponte-config-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  const ORGANIZATION = 'organizations: [{ slug: main, name: Main }]';

  it('may be empty', () => {
    expect(readConfiguration(folder, {})).toEqual({
      organizations: [],
      sources: [],
      rules: [],
      profiles: [],
      templates: [],
      tables: [],
      charts: [],
    });
  });

  it('that comes with the product is right', () => {
    const configuration = readConfiguration(join(__dirname, '../../config'), {
      SHOPIFY_WEBHOOK_SECRET: 'shhh',
    });
    expect(configuration.organizations.map(({ slug }) => slug)).toEqual(['main']);
    expect(configuration.sources.find(({ slug }) => slug === 'shopify')?.liveSecrets).toEqual(['shhh']);
    expect(configuration.sources.find(({ slug }) => slug === 'woocommerce')?.liveSecrets).toEqual([]);
  });

  it('fills in the defaults of an organization', () => {
    write('organizations.yaml', ORGANIZATION);
    expect(readConfiguration(folder, {}).organizations[0]).toMatchObject({
      timeZone: 'America/Sao_Paulo',
      currency: 'BRL',
    });
  });

  it.each([
    [
      '{ plans: 30 }',
      'retention.plans must be a whole number of days from 90 to 36500, or forever (null in the API)',
    ],
    ['{ bodies: forever }', 'retention.bodies must be a whole number of days from 1 to 3650'],
    ['{ plan: 365 }', 'retention.plan is no kind; there are bodies, plans'],
    ['{ feed: 60, feedUnread: 30 }', 'retention.feedUnread must not be less than feed, which is 60'],
    ['{ feed: 60.5 }', 'retention.feed must be a whole number of days from 7'],
    ['[]', 'retention'],
  ])('refuses a retention of %s and says what is wrong', (text, message) => {
    write('organizations.yaml', `organizations: [{ slug: main, name: Padaria, retention: ${text} }]`);
    expect(() => readConfiguration(folder, {})).toThrow(message);
  });

  it('takes every live secret from the environment and no empty one', () => {
    write('organizations.yaml', ORGANIZATION);
    write(
      'sources.yaml',
      'sources: [{ organization: main, slug: shop, provider: shopify, secrets: [{ env: A }, { env: B }, { env: C }] }]',
    );
    expect(readConfiguration(folder, { A: 'one', B: '  ', C: 'three' }).sources[0]?.liveSecrets).toEqual([
      'one',
      'three',
    ]);
  });

  it('takes credentials from the environment, and none that is empty', () => {
    write('organizations.yaml', ORGANIZATION);
    write(
      'sources.yaml',
      'sources: [{ organization: main, slug: shop, provider: vtex, credentials: { appKey: { env: A }, appToken: { env: B } } }]',
    );
    const [source] = readConfiguration(folder, { A: ' one ', B: '' }).sources;
    expect(source?.liveCredentials).toEqual({ appKey: 'one' });
    write(
      'sources.yaml',
      'sources: [{ organization: main, slug: s, provider: vtex, credentials: { appKey: hush } }]',
    );
    expect(() => readConfiguration(folder, {})).toThrow(
      /^sources\.yaml: s: credentials\.appKey names no environment variable/,
    );
  });

  it.each<[string, string, string, RegExp]>([
    [
      'a wrong slug',
      'organizations.yaml',
      'organizations: [{ slug: "Main Shop", name: x }]',
      /organizations\.yaml: organizations\[0\]\.slug/,
    ],
    [
      'an unknown zone',
      'organizations.yaml',
      'organizations: [{ slug: a, name: x, timeZone: Mars/Base }]',
      /timeZone/,
    ],
    [
      'an unknown member',
      'organizations.yaml',
      'organizations: [{ slug: a, name: x, colour: red }]',
      /colour/,
    ],
    [
      'the same slug twice',
      'organizations.yaml',
      'organizations: [{ slug: a, name: x }, { slug: a, name: y }]',
      /twice/,
    ],
    [
      'broken YAML',
      'organizations.yaml',
      'organizations:\n  - slug: a\n   name: x',
      /organizations\.yaml:\d+:\d+: /,
    ],
    [
      'a source of nobody',
      'sources.yaml',
      'sources: [{ organization: who, slug: s, provider: shopify }]',
      /sources\.yaml: source s/,
    ],
    [
      'a secret written down',
      'sources.yaml',
      'sources: [{ organization: main, slug: s, provider: shopify, secrets: ["hush"] }]',
      /secrets/,
    ],
  ])('is refused in one line for %s', (_, file, text, message) => {
    write(file, text);
    const attempt = () => readConfiguration(folder, {});
    expect(attempt).toThrow(SettingError);
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow(/\n/);
  });

  it('must be there', () => {
    expect(() => readConfiguration(join(folder, 'nowhere'), {})).toThrow(/^CONFIG_DIR: /);
  });
});
