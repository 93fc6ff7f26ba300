import { TestingApp } from '../../test/support/testing-app';

describe('forwarded headers', () => {
  /** @returns how often they were logged */
  async function logged(env: Record<string, string>, headers: Record<string, string>): Promise<number> {
    const testing = await TestingApp.open({ env });
    for (let index = 0; index < 3; index += 1) await testing.http.get('/health/live').set(headers);
    await testing.close();
    expect(testing.log.join()).not.toContain('203.0.113.7');
    return testing.log.filter((line) => line.includes('TRUSTED_PROXIES')).length;
  }

  it.each(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])(
    'of a proxy that nobody named are told of once for each start: %s',
    async (name) => {
      expect(await logged({}, { [name]: '203.0.113.7' })).toBe(1);
      expect(await logged({ TRUSTED_PROXIES: '10.0.0.0/8' }, { [name]: '203.0.113.7' })).toBe(1);
    },
  );

  it('of a proxy that is named are not logged, and neither is a request without them', async () => {
    const named = { TRUSTED_PROXIES: '127.0.0.0/8, ::1/128' };
    expect(await logged(named, { 'x-forwarded-for': '203.0.113.7' })).toBe(0);
    expect(await logged({}, {})).toBe(0);
  });
});
