import { SettingError, Settings } from './settings';

const key = Buffer.alloc(32, 7).toString('base64');

describe('Settings', () => {
  it('need nothing', () => {
    const settings = new Settings({});
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      financeBackend: 'embedded',
      role: 'all',
      financeRateLimit: 6000,
      maxRequestsInFlight: 256,
      embeddedDatabase: true,
    });
  });

  it('take what is set', () => {
    const settings = new Settings({
      PORT: '0',
      DATABASE_URL: 'postgresql://u@h/db',
      SECRETS_KEY: key,
      ROLE: 'worker',
    });
    expect(settings).toMatchObject({ port: 0, role: 'worker', embeddedDatabase: false });
    expect(settings.secretsKey).toHaveLength(32);
  });

  it('take no previous key, one, or several', () => {
    const previous = (text?: string) =>
      new Settings(text === undefined ? {} : { SECRETS_KEY_PREVIOUS: text }).secretsKeysPrevious;
    expect(previous()).toEqual([]);
    expect(previous(key)).toEqual([Buffer.alloc(32, 7)]);
    const other = Buffer.alloc(32, 8);
    expect(previous(`${key} , ${other.toString('base64')},`)).toEqual([Buffer.alloc(32, 7), other]);
  });

  it.each<[string, Record<string, string>]>([
    ['PORT', { PORT: 'eighty' }],
    ['PORT', { PORT: '70000' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x', SECRETS_KEY: key }],
    ['PUBLIC_URL', { PUBLIC_URL: 'books.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://books.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://books.example/?a=b' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://user@books.example' }],
    ['SECRETS_KEY', { DATABASE_URL: 'postgresql://u@h/db' }],
    ['SECRETS_KEY', { SECRETS_KEY: 'c2hvcnQ=' }],
    ['SECRETS_KEY_PREVIOUS', { SECRETS_KEY_PREVIOUS: `${key},c2hvcnQ=` }],
    ['SECRETS_KEY_PREVIOUS', { SECRETS_KEY_PREVIOUS: Array(6).fill(key).join() }],
    ['ADMIN_API_KEY', { ADMIN_API_KEY: 'short' }],
    ['ROLE', { ROLE: 'boss' }],
    ['ROLE', { ROLE: 'worker' }],
    ['FINANCE_BACKEND', { FINANCE_BACKEND: 'paper' }],
    ['FINANCE_BASE_URL', { FINANCE_BACKEND: 'remote' }],
    ['FINANCE_BASE_URL', { FINANCE_BACKEND: 'remote', FINANCE_BASE_URL: 'http://finance.example/v1' }],
    ['FINANCE_ALLOWED_NETWORKS', { FINANCE_ALLOWED_NETWORKS: '10.0.0.0/33' }],
    ['FINANCE_ALLOWED_NETWORKS', { FINANCE_ALLOWED_NETWORKS: '10.0.0.0/8, books.example' }],
    ['FINANCE_ALLOWED_NETWORKS', { FINANCE_ALLOWED_NETWORKS: 'fd00::/8/8' }],
    ['FINANCE_AUTH', { FINANCE_AUTH: 'none' }],
    ...['empresas', '/', '/a//b', '/a b', '/../v1', '/v1', '/v1/x', '/admin/v1', '/Hooks', '/docs'].map(
      (FINANCE_PATH_PREFIX) =>
        ['FINANCE_PATH_PREFIX', { FINANCE_PATH_PREFIX }] as [string, Record<string, string>],
    ),
    ...['*', 'null', 'app.example', 'https://app.example/', 'https://*.example', 'ftp://app.example'].map(
      (FINANCE_CORS_ORIGINS) =>
        ['FINANCE_CORS_ORIGINS', { FINANCE_CORS_ORIGINS }] as [string, Record<string, string>],
    ),
    ['WATCH_EVERY', { WATCH_EVERY: '5m' }],
    ['COMPARE_EVERY', { COMPARE_EVERY: '1h' }],
    ['FINANCE_RATE_LIMIT', { FINANCE_RATE_LIMIT: '-1' }],
    ['FINANCE_RATE_LIMIT', { FINANCE_RATE_LIMIT: '1e3' }],
    ['ADMIN_RATE_LIMIT', { ADMIN_RATE_LIMIT: 'many' }],
    ['ADMIN_PORT', { ADMIN_PORT: '3000' }],
    ['ADMIN_PORT', { ADMIN_PORT: 'eighty' }],
    ['ADMIN_HOST', { ADMIN_HOST: '127.0.0.1' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8, balancer' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'short' }],
    ['SHUTDOWN_GRACE_SECONDS', { SHUTDOWN_GRACE_SECONDS: '5s' }],
    ['SHUTDOWN_GRACE_SECONDS', { SHUTDOWN_GRACE_SECONDS: '601' }],
    ['MAX_REQUESTS_IN_FLIGHT', { MAX_REQUESTS_IN_FLIGHT: '0' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ])('name %s in one line when it is wrong: %j', (name, env) => {
    const attempt = () => new Settings(env);
    expect(attempt).toThrow(SettingError);
    expect(attempt).toThrow(new RegExp(`^${name} [^\n]+$`));
  });

  it('never repeat a secret in a message', () => {
    expect(() => new Settings({ SECRETS_KEY: 'hunter2' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('take the public address without its last slash', () => {
    expect(new Settings({ PUBLIC_URL: 'https://books.example/ponte//' }).publicUrl).toBe(
      'https://books.example/ponte',
    );
    expect(new Settings({}).publicUrl).toBeUndefined();
  });

  it('take a port for operators, on the same host unless another is named', () => {
    expect(new Settings({}).adminListener).toBeUndefined();
    expect(new Settings({ HOST: '0.0.0.0', ADMIN_PORT: '0' }).adminListener).toEqual({
      host: '0.0.0.0',
      port: 0,
    });
    expect(new Settings({ ADMIN_HOST: '127.0.0.1', ADMIN_PORT: '3001' }).adminListener).toEqual({
      host: '127.0.0.1',
      port: 3001,
    });
  });

  it('take a prefix of the finance interface with or without a slash at its end', () => {
    expect(new Settings({}).financePathPrefix).toBeUndefined();
    for (const FINANCE_PATH_PREFIX of ['/empresas/v1', '/empresas/v1/'])
      expect(new Settings({ FINANCE_PATH_PREFIX }).financePathPrefix).toBe('/empresas/v1');
  });

  it('take exact origins, and none unless told', () => {
    expect(new Settings({}).financeCorsOrigins).toEqual(new Set());
    const FINANCE_CORS_ORIGINS = 'https://app.example, http://localhost:5173,';
    expect(new Settings({ FINANCE_CORS_ORIGINS }).financeCorsOrigins).toEqual(
      new Set(['https://app.example', 'http://localhost:5173']),
    );
  });

  it('take networks of both families, and single addresses', () => {
    const { financeAllowedNetworks: networks } = new Settings({
      FINANCE_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8,192.168.1.7,',
    });
    expect(networks.check('10.9.9.9')).toBe(true);
    expect(networks.check('fd12::1', 'ipv6')).toBe(true);
    expect(networks.check('192.168.1.7')).toBe(true);
    expect(networks.check('192.168.1.8')).toBe(false);
    expect(new Settings({}).financeAllowedNetworks.check('10.9.9.9')).toBe(false);
  });

  it('allow plain http on loopback alone', () => {
    expect(
      new Settings({ FINANCE_BACKEND: 'remote', FINANCE_BASE_URL: 'http://127.0.0.1:9/v1/' }).financeBaseUrl,
    ).toBe('http://127.0.0.1:9/v1');
  });
});
