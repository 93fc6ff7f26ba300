import type { ConsoleLandmarks } from '../../bench/console/landmarks';
import { CONSOLE_REQUESTS } from '../../bench/console/requests';

/** Its own name for each landmark. */
const LANDMARKS = new Proxy({} as ConsoleLandmarks, { get: (_, name) => `{${String(name)}}` });

describe('what the bench asks as the console does', () => {
  it('has a name of its own for each request: times are kept by it', () => {
    const names = CONSOLE_REQUESTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is a path below the organization, with an encoded query', () => {
    for (const { path } of CONSOLE_REQUESTS) {
      const url = new URL(path(LANDMARKS), 'http://ponte/admin/organizations/main/');
      expect(url.pathname).toMatch(/^\/admin\/organizations\/main\//);
      expect([...url.searchParams.values()]).not.toContain('');
    }
  });
});
