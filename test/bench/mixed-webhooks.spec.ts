import { mixedSources, MixedWebhooks } from '../../bench/load/mixed-webhooks';
import { ANSWER_WITHIN_MS } from '../../bench/parts/time-limits';
import { PROVIDERS } from '../../src/sources/registry';

const SOURCES = mixedSources(PROVIDERS, 'http://127.0.0.1:1');
const ROUNDS = 6;

function made(): ReturnType<MixedWebhooks['next']>[] {
  const webhooks = new MixedWebhooks('http://127.0.0.1:2', SOURCES);
  return Array.from({ length: ROUNDS * PROVIDERS.length }, () => webhooks.next());
}

describe('the load of all providers', () => {
  const all = made();

  it('has a time limit for each provider of the registry, and for no other', () => {
    expect(Object.keys(ANSWER_WITHIN_MS).sort()).toEqual(PROVIDERS.map(({ id }) => id).sort());
  });

  it('takes the providers in turns', () => {
    for (const source of SOURCES)
      expect(all.filter((one) => one.source.provider === source.provider)).toHaveLength(ROUNDS);
  });

  it.each(PROVIDERS.map(({ id }) => id))(
    'is signed as %s signs, and each webhook is a new delivery',
    (id) => {
      const webhooks = all.filter(({ source }) => source.provider.id === id);
      const keys = webhooks.map(({ source: { provider, settings, secret }, webhook }) => {
        expect(provider.verify(webhook, [secret], settings, new Date())).toMatchObject({ ok: true });
        return provider.identify(webhook, settings).dedupeKey;
      });
      expect(new Set(keys).size).toBe(ROUNDS);
    },
  );

  it('is written as HTTP, with the query and the secret where they belong', () => {
    for (const { source, webhook, request } of all) {
      const text = request.toString('latin1');
      expect(text.startsWith(`POST /hooks/main/${source.slug}`)).toBe(true);
      expect(text).toContain(`content-length: ${webhook.rawBody.length}\r\n`);
      expect(request.subarray(-webhook.rawBody.length)).toEqual(webhook.rawBody);
      if (webhook.token !== undefined) expect(text).toContain(`/${encodeURIComponent(webhook.token)}`);
      for (const name of Object.keys(webhook.query)) expect(text.split('\r\n')[0]).toContain(`${name}=`);
    }
  });
});
