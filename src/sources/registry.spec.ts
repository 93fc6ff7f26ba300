import { findProvider, PROVIDERS, signedHeaders } from './registry';
import { SourceProviders } from './source-providers';

describe('the registry of providers', () => {
  it('finds each by its own id, and nothing else', () => {
    for (const provider of PROVIDERS) expect(findProvider(provider.id)).toBe(provider);
    expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length);
    for (const id of ['', 'Shopify', 'toString', '__proto__']) expect(findProvider(id)).toBeUndefined();
  });
});

describe('a provider that registers webhooks', () => {
  const registering = PROVIDERS.flatMap(({ id, api, hooks }) => (hooks ? [{ id, api, hooks }] : []));

  it.each(registering)('$id has an API to do it with', ({ api, hooks }) => {
    expect(Object.keys(api?.credentials ?? {})).not.toEqual([]);
    // Requests about webhooks are made with the credentials themselves.
    expect(api?.accessTokens).toBeUndefined();
    expect(hooks.readSecret !== undefined).toBe(hooks.secret === 'answered');
  });
});

describe('signedHeaders', () => {
  const message = { secret: 'not base64!', body: '{}', topic: 'order.paid', id: '1', sentAt: new Date(0) };

  it('refuses a provider it does not know, and a key that signs nothing', () => {
    expect(() => signedHeaders('nobody', message)).toThrow('there is no provider nobody');
    expect(() => signedHeaders('standard-webhooks', message)).toThrow('not base64');
  });
});

describe('the providers of a service', () => {
  it('are those of the registry unless it is given others', () => {
    expect(new SourceProviders().all).toBe(PROVIDERS);
    const [one] = PROVIDERS;
    if (!one) throw new Error('the registry is empty');
    const given = new SourceProviders([{ ...one, id: 'given', signatureHeaders: ['x-given'] }]);
    expect(given.ids).toEqual(['given']);
    expect(given.find(one.id)).toBeUndefined();
    expect(given.carriesSignature({ 'x-given': '' })).toBe(true);
    for (const name of one.signatureHeaders ?? [])
      expect(given.carriesSignature({ [name]: 'x' })).toBe(false);
  });

  it('have an id each', () => {
    expect(() => new SourceProviders([...PROVIDERS, ...PROVIDERS])).toThrow('one id');
  });
});
