import { TestService } from '../support/service';

describe('what a provider asks before it sends', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
    const made = await service.operate('post', 'sources', {
      ...{ slug: 'events', provider: 'cloudevents', secrets: ['a secret'] },
      settings: { header: 'x-signature', allowedOrigins: 'erp.example' },
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  });
  afterAll(() => service.stop());

  it('is answered with headers where the source allows who asks', async () => {
    const asked = (origin: string) =>
      service.http.options('/hooks/main/events').set('webhook-request-origin', origin);
    const allowed = await asked('erp.example');
    expect([allowed.status, allowed.headers['webhook-allowed-origin']]).toEqual([200, 'erp.example']);
    const other = await asked('other.example');
    expect(other.headers['webhook-allowed-origin']).toBeUndefined();
  });

  it('is no question that others answer, and does not say which addresses are known', async () => {
    for (const method of ['get', 'head', 'options'] as const)
      for (const source of ['shopify', 'nobody']) {
        const reply = await service.http[method](`/hooks/main/${source}`);
        expect([method, source, reply.status]).toEqual([method, source, 405]);
        expect(reply.headers['allow']).toContain('POST');
      }
  });
});
