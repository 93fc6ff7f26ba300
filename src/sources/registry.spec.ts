import { findProvider, PROVIDERS } from './registry';
import { signedHeaders } from './signing';

describe('the registry of providers', () => {
  it('finds each by its own id, and nothing else', () => {
    for (const provider of PROVIDERS) expect(findProvider(provider.id)).toBe(provider);
    expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length);
    for (const id of ['', 'Shopify', 'toString', '__proto__']) expect(findProvider(id)).toBeUndefined();
  });
});

describe('signedHeaders', () => {
  const message = { secret: 'not base64!', body: '{}', topic: 'order.paid', id: '1', sentAt: new Date(0) };

  it('refuses a provider it does not know, and a key that signs nothing', () => {
    expect(() => signedHeaders('nobody', message)).toThrow('there is no provider nobody');
    expect(() => signedHeaders('standard-webhooks', message)).toThrow('not base64');
  });
});
