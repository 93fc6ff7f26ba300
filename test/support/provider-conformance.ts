import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { UnreadablePayload } from '../../src/sources/payload';
import type {
  FetchAccess,
  FetchBack,
  FetchRequest,
  IncomingWebhook,
  SourceApi,
  SourceProvider,
  StoredWebhook,
} from '../../src/sources/source';
import {
  casesIn,
  contextWith,
  fetchedIn,
  OTHER_SECRET,
  outcomeOf,
  SECRET,
  SENT_AT,
  type SourceCase,
  stored,
} from './source-cases';
import { propertyRuns, propertySeed } from './property-runs';
import { amountsIn, minorUnitsIn, amountsBookedFrom, mutations } from './mutations';
import { anyText } from './any-text';

/**
 * Everything that every provider has to do: a spec calls it once and gets the tests of all of it.
 * @param folder of the provider's `cases.json` and what its cases name
 */
export function conformsToContract(provider: SourceProvider, folder: string): void {
  describe(`the provider ${provider.id}`, () => describeProvider(provider, folder));
}

/** What of an event says by what it is dated. */
interface DatedEvent {
  type: string;
  occurredAt: string;
  datedBy?: string;
  order?: { payments: { datedBy?: string }[] };
}

/** Milliseconds. */
const DAYS_40 = 40 * 86_400_000;

function describeProvider(provider: SourceProvider, folder: string): void {
  const cases = casesIn(folder);
  const told = cases.filter((one) => one.expected !== undefined);
  const [sample] = told;
  if (!sample) throw new Error(`${provider.id} has no case that comes to events`);

  const publicKeys = provider.publicKeys && { publicKeys: provider.publicKeys.ofSigner() };

  function request(one: SourceCase, secret = SECRET, sentAt = SENT_AT): IncomingWebhook {
    return signed(read(one.file), one.topic, secret, sentAt);
  }

  function signed(body: Buffer, topic: string, secret = SECRET, sentAt = SENT_AT): IncomingWebhook {
    const rawBody = provider.bodyFor?.(body, secret) ?? body;
    const message = { secret, body: rawBody, topic, id: 'd-1', sentAt };
    const query = provider.signQuery?.(message) ?? {};
    const token = provider.secretInAddress && { token: secret };
    return { method: 'POST', headers: provider.sign(message), query, ...token, ...publicKeys, rawBody };
  }

  function read(file: string): Buffer {
    return readFileSync(join(folder, file));
  }

  const verify = (incoming: IncomingWebhook, secrets: string[] = [SECRET], now = SENT_AT) =>
    provider.verify(incoming, secrets, {}, now);

  const withSignature = otherSignature(provider);
  const refused = { ok: false, reason: expect.any(String) as string };
  const accepted = verify(request(sample));
  const coversBody = !('bodyUnsigned' in accepted);
  const fetched = fetchedIn(folder, sample);

  describe('signature', () => {
    it('is accepted when it was made with the secret', () => {
      expect(accepted).toEqual({ ok: true, ...(!coversBody && { bodyUnsigned: true }) });
    });

    if (!coversBody)
      it('does not cover the body, which is fetched back', () => {
        expect(provider.fetchBack).toBeDefined();
      });

    it('is accepted when it was made with the second of two live secrets', () => {
      expect(verify(request(sample), [OTHER_SECRET, SECRET])).toEqual(accepted);
    });

    it('is refused for another secret', () => {
      expect(verify(request(sample), [OTHER_SECRET]).ok).toBe(false);
    });

    it('is refused when one byte of the body changed, whichever it is, if it covers the body', () => {
      const genuine = request(sample);
      fc.assert(
        fc.property(fc.nat(genuine.rawBody.length - 1), fc.integer({ min: 1, max: 255 }), (index, flip) => {
          const rawBody = Buffer.from(genuine.rawBody);
          rawBody[index] = (rawBody[index] ?? 0) ^ flip;
          expect(verify({ ...genuine, rawBody })).toEqual(coversBody ? refused : accepted);
        }),
      );
    });

    it('is refused when it is stale or ahead of time, where it has a time', () => {
      const { toleranceSeconds = Infinity } = provider;
      for (const seconds of [0, 60, 299, 301, 3_600, 86_400 * 365]) {
        for (const off of [seconds, -seconds]) {
          const now = new Date(SENT_AT.getTime() + off * 1_000);
          const verified = verify(request(sample), [SECRET], now);
          expect([off, verified.ok]).toEqual([off, seconds <= toleranceSeconds]);
        }
      }
    });

    it('is refused when the body was cut short, if it covers the body', () => {
      const genuine = request(sample);
      const cut = verify({ ...genuine, rawBody: genuine.rawBody.subarray(0, -1) });
      expect(cut).toEqual(coversBody ? refused : accepted);
    });

    it.each([[[]], [['']], [['', '   ']]])(
      'is refused by a source whose secrets are %j',
      (secrets: string[]) => {
        const { token: _token, ...unkeyed } = { ...request(sample), headers: {}, query: {} };
        expect(verify(request(sample), secrets).ok).toBe(false);
        expect(verify(unkeyed, secrets).ok).toBe(false);
      },
    );

    it('is refused when it is missing, empty or of another length', () => {
      const genuine = request(sample);
      for (const value of [undefined, '', ' ', 'x', 'A'.repeat(10_000)])
        expect(verify(withSignature(genuine, () => value))).toEqual(refused);
      expect(verify(withSignature(genuine, (signature) => `${signature}A`))).toEqual(refused);
    });

    it('is refused without saying anything of the secret or the right signature', () => {
      const verified = verify(request(sample, OTHER_SECRET));
      const text = JSON.stringify(verified);
      expect(text).not.toContain(SECRET);
      const { headers, query } = request(sample);
      for (const value of Object.values(headers)) {
        if (value && /[+/=]/.test(value) && value.length > 30) expect(text).not.toContain(value);
      }
      for (const value of Object.values(query)) expect(text).not.toContain(value);
    });
  });

  describe('identity', () => {
    it('names the topic, and puts all deliveries of one entity into one lane', () => {
      for (const one of cases) {
        const identity = provider.identify(request(one));
        expect(identity.topic).toBe(one.topic);
        expect(identity.orderingKey).toMatch(
          /^(order|payment|customer|settlement|payout|dispute|fee|bill|delivery)\//,
        );
      }
    });

    it('is the same for the same delivery', () => {
      expect(provider.identify(request(sample))).toEqual(provider.identify(request(sample)));
    });

    it('never throws, whatever the request is, and yields keys an index can hold', () => {
      const text = anyText({ maxLength: 5000 });
      const names = Object.keys(request(sample).headers);
      const headers = fc.record(Object.fromEntries(names.map((name) => [name, text])), { requiredKeys: [] });
      fc.assert(
        fc.property(headers, fc.uint8Array({ maxLength: 300 }), (changed, bytes) => {
          const identity = provider.identify({
            method: 'POST',
            headers: changed,
            query: {},
            rawBody: Buffer.from(bytes),
          });
          expect(identity.topic).not.toBe('');
          expect(Math.max(identity.dedupeKey.length, identity.orderingKey.length)).toBeLessThan(400);
          expect(JSON.stringify(identity)).not.toMatch(/\\u0000/);
        }),
      );
    });

    it('survives bodies that are not JSON', () => {
      for (const rawBody of hostileBodies()) {
        const identity = provider.identify({ ...request(sample), rawBody });
        expect(identity.dedupeKey).not.toBe('');
      }
    });
  });

  describe('payload', () => {
    it.each(cases.map((one) => [one.says, one] as const))('%s', (_says, one) => {
      const incoming = request(one);
      const { topic, attributes } = provider.identify(incoming);
      const outcome = outcomeOf(
        provider,
        stored(topic, incoming.rawBody, attributes, fetchedIn(folder, one)),
        contextWith(one.settings),
      );
      const expected: unknown =
        one.expected === undefined
          ? {
              ignored: one.ignored,
              ...(one.unbooked && { unbooked: one.unbooked }),
              ...(one.privacy && { privacy: one.privacy }),
            }
          : { events: JSON.parse(read(`expected/${one.expected}`).toString('utf8')) };
      expect(outcome).toEqual(expected);
    });

    // Else each later message about the same thing has another day, and a person is asked why.
    it.each(told.map((one) => [one.says, one] as const))(
      '%s: what has the day of its receipt says so',
      (_says, one) => {
        const incoming = request(one);
        const { topic, attributes } = provider.identify(incoming);
        const webhook = stored(topic, incoming.rawBody, attributes, fetchedIn(folder, one));
        const receivedAt = new Date(webhook.receivedAt.getTime() + DAYS_40);
        const [now, later] = [webhook, { ...webhook, receivedAt }].map(
          (each) => outcomeOf(provider, each, contextWith(one.settings)) as { events: DatedEvent[] },
        );
        const undated = (now?.events ?? []).filter((event, index) => {
          const payments = event.order?.payments ?? [];
          const isSaid = event.datedBy !== undefined || payments.some(({ datedBy }) => datedBy !== undefined);
          return !isSaid && event.occurredAt !== later?.events[index]?.occurredAt;
        });
        expect(undated.map(({ type }) => type).filter((type) => type !== 'customer.updated')).toEqual([]);
      },
    );

    it('under a topic that nobody has heard of means nothing, and is no error', () => {
      const unheard = 'unheard.of';
      const text = read(sample.file).toString('utf8');
      const rawBody = Buffer.from(
        provider.topicInBody ? text.replaceAll(JSON.stringify(sample.topic), JSON.stringify(unheard)) : text,
      );
      const incoming = signed(rawBody, unheard);
      expect(verify(incoming)).toEqual(accepted);
      const { topic, attributes } = provider.identify(incoming);
      expect(topic).toBe(unheard);
      expect(provider.normalise(stored(topic, rawBody, attributes), contextWith())).toEqual({
        ignored: expect.stringContaining(unheard),
      });
    });

    it('has a case for every fixture', () => {
      const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
      const used = new Set(['cases.json', 'list.json', ...cases.map((one) => one.file)]);
      expect(files.filter((file) => !used.has(file))).toEqual([]);
    });

    it('is kept in raw with every digit, without __proto__', () => {
      const polluted = (text: Buffer): Buffer =>
        Buffer.from(
          text
            .toString('utf8')
            .replace(
              '{',
              '{"__proto__": {"polluted": true}, "own": {"__proto__": 1, "big": 12345678901234567890},',
            ),
        );
      const answers = fetched.map((answer) => ({ ...answer, body: polluted(answer.body) }));
      const normalised = provider.normalise(
        stored(sample.topic, polluted(read(sample.file)), {}, answers),
        contextWith(sample.settings),
      );
      const raw = 'events' in normalised ? normalised.events[0]?.raw : undefined;
      expect(raw).toMatchObject({ own: { big: '12345678901234567890' } });
      expect(Object.keys(raw as object)).not.toContain('__proto__');
      expect((raw as { polluted?: unknown }).polluted).toBeUndefined();
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    /** The parts of the sample, each with how it is normalised when it is another text. */
    const parts = [
      {
        text: read(sample.file),
        normalise: (text: Buffer) =>
          provider.normalise(stored(sample.topic, text, {}, fetched), contextWith(sample.settings)),
      },
      ...fetched.slice(0, 1).map((answer) => ({
        text: answer.body,
        normalise: (body: Buffer) =>
          provider.normalise(
            stored(sample.topic, read(sample.file), {}, [{ ...answer, body }, ...fetched.slice(1)]),
            contextWith(sample.settings),
          ),
      })),
    ];

    it('that is truncated anywhere is unreadable', () => {
      for (const { text, normalise } of parts) {
        const whole = text.toString('utf8');
        fc.assert(
          fc.property(fc.nat(whole.trimEnd().length - 2), (length) => {
            expect(() => normalise(Buffer.from(whole.slice(0, length)))).toThrow(UnreadablePayload);
          }),
          { numRuns: propertyRuns(50) },
        );
      }
    });

    it.each(hostileBodies().map((body) => [body.toString('latin1').slice(0, 20), body] as const))(
      'that is hostile (%j…) is unreadable',
      (_name, rawBody) => {
        for (const { normalise } of parts) expect(() => normalise(rawBody)).toThrow(UnreadablePayload);
      },
    );

    it('with anything anywhere is read or unreadable, and no money is made up', () => {
      const anyCase = fc.constantFrom(...told);
      const mutated = anyCase.chain((one) => {
        const texts = [read(one.file), ...fetchedIn(folder, one).map(({ body }) => body)];
        const written = texts.flatMap((text, index) => (text.length > 0 ? [index] : []));
        return fc.constantFrom(...written).chain((index) =>
          mutations(texts[index] as Buffer).map((text) => ({
            one,
            texts: texts.map((other, place) => (place === index ? Buffer.from(text) : other)),
          })),
        );
      });
      fc.assert(
        fc.property(mutated, ({ one, texts }) => checkMutation(provider, folder, one, texts)),
        { numRuns: propertyRuns(150), ...propertySeed() },
      );
    });
  });

  it('names the store of a webhook, if at all, without an error', () => {
    const named = hostileBodies().map((rawBody) =>
      provider.storeOf?.({ method: 'POST', headers: {}, query: {}, rawBody }),
    );
    for (const store of named) expect(['undefined', 'string']).toContain(typeof store);
    if (provider.storeOf) expect(provider.settings).toHaveProperty('storeId');
  });

  const { api, fetchBack } = provider;
  if (api) describe('its API', () => describeApi(provider, api));
  if (fetchBack) describe('what is fetched back', () => describeFetches(provider, fetchBack, folder));

  it('has samples, each under a name of its own, that mean something', () => {
    const { samples } = provider;
    expect(samples.length).toBeGreaterThan(0);
    expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length);
    for (const { topic, body, fetched: answers } of samples) {
      expect(verify(signed(body, topic))).toEqual(accepted);
      const { attributes } = provider.identify(signed(body, topic));
      expect(provider.normalise(stored(topic, body, attributes, answers), contextWith())).toMatchObject({
        events: expect.arrayContaining([
          expect.objectContaining({ type: expect.any(String) as string }),
        ]) as [],
      });
    }
  });

  it('says how to connect a shop and describes every setting', () => {
    expect(provider.setUp.length).toBeGreaterThanOrEqual(3);
    for (const setting of Object.values(provider.settings)) expect(setting.description).toMatch(/\w+ \w+/);
  });
}

/** The same request with another signature, wherever this provider has it. */
function otherSignature(provider: SourceProvider) {
  return (genuine: IncomingWebhook, change: (signature: string) => string | undefined): IncomingWebhook => {
    if (provider.secretInAddress) {
      const { token = '', ...others } = genuine;
      const changed = change(token);
      return changed === undefined ? others : { ...others, token: changed };
    }
    const isSignature = (name: string): boolean =>
      provider.signatureHeaders?.includes(name) ??
      (/hmac|signature/.test(name) || genuine.headers[name]?.endsWith(SECRET) === true);
    const place = Object.keys(genuine.headers).some(isSignature) ? 'headers' : 'query';
    const name = Object.keys(genuine[place]).find(isSignature) ?? '';
    return { ...genuine, [place]: { ...genuine[place], [name]: change(genuine[place][name] ?? '') } };
  };
}

/** Credentials that nobody has, and an access token where the API wants one. */
function accessTo({ credentials, accessTokens }: SourceApi): Omit<FetchAccess, 'settings'> {
  return {
    credentials: Object.fromEntries(
      Object.keys(credentials).map((name) => [name, `shown-by-nobody-${name}`]),
    ),
    ...(accessTokens && { accessToken: 'shown-by-nobody-granted' }),
  };
}

function describeApi(provider: SourceProvider, api: SourceApi): void {
  const settings = provider.settings['storeId'] ? { storeId: '1' } : {};

  it('says what its credentials are, and has an address that can be set', () => {
    for (const { description } of Object.values(api.credentials)) expect(description).toMatch(/\w+ \w+ \w+/);
    expect(provider.settings).toHaveProperty('apiUrl');
    expect(api.baseUrl({ ...settings, apiUrl: 'https://api.example.com/x/' })).toBe(
      'https://api.example.com/x',
    );
  });

  const { accessTokens } = api;
  if (!accessTokens) return;
  it('asks for access tokens with its credentials, over HTTPS, and reads what is granted', () => {
    // A provider that is another host for each shop has no address of its own.
    const placed =
      api.baseUrl(settings) === '' ? { ...settings, apiUrl: 'https://loja.example.com' } : settings;
    expect(accessTokens.url(placed)).toMatch(/^https:\/\/[^?#]+$/);
    const { headers, body } = accessTokens.grant({ settings, ...accessTo(api) });
    expect(decodeURIComponent(shownIn({ headers, body }))).toContain('shown-by-nobody');
    expect(body.contentType).toMatch(/^application\/(json|x-www-form-urlencoded)$/);
    for (const answer of hostileBodies()) expect(accessTokens.read(answer)).toBeUndefined();
    if (accessTokens.refreshToken !== undefined)
      expect(Object.keys(api.credentials)).toContain(accessTokens.refreshToken);
  });
}

/** What a request shows of credentials, with user and password of Basic authentication as text. */
function shownIn({ headers, body }: Pick<FetchRequest, 'headers' | 'body'>): string {
  const shown = Object.values(headers).map((header) =>
    header.replace(/^Basic (.*)$/, (_basic, user: string) => Buffer.from(user, 'base64').toString()),
  );
  return JSON.stringify([...shown, body?.text]);
}

function describeFetches(provider: SourceProvider, fetchBack: FetchBack, folder: string): void {
  const cases = casesIn(folder);
  const { api } = provider;
  if (!api) throw new Error('who fetches needs an API');
  const access = accessTo(api);

  const identified = (one: SourceCase): StoredWebhook => {
    const rawBody = readFileSync(join(folder, one.file));
    const message = { secret: SECRET, body: rawBody, topic: one.topic, id: 'd-1', sentAt: SENT_AT };
    const query = provider.signQuery?.(message) ?? {};
    const incoming = { method: 'POST', headers: provider.sign(message), query, rawBody };
    const { topic, attributes } = provider.identify(incoming, one.settings);
    return stored(topic, rawBody, attributes);
  };

  it('asks for what each delivery names, one after another, and then for nothing more', () => {
    for (const one of cases) {
      const webhook = identified(one);
      const answers = fetchedIn(folder, one);
      const asked = [...answers, undefined].map((_answer, index) => {
        const so = { ...webhook, fetched: answers.slice(0, index) };
        return fetchBack.next(so, { settings: one.settings ?? {}, ...access });
      });
      const paths = (one.fetched ?? []).map(({ name, path }) => ({ name, path }));
      expect([
        one.says,
        asked.map((request) => request && { name: request.name, path: request.path }),
      ]).toEqual([one.says, [...paths, undefined]]);
      for (const [index, { status = 200 }] of (one.fetched ?? []).entries()) {
        const others = asked[index]?.answers ?? [404, 410];
        expect([one.says, status, /^2/.test(String(status)) || others.includes(status)]).toContain(true);
      }
      expect(JSON.stringify(asked.map((request) => request?.path))).not.toContain('shown-by-nobody');
    }
  });

  it('shows the credentials that the operator entered, or the token that they were granted', () => {
    const [one] = cases.filter(({ fetched = [] }) => fetched.length > 0);
    const request = one && fetchBack.next(identified(one), { settings: one.settings ?? {}, ...access });
    expect(request && shownIn(request)).toContain('shown-by-nobody');
    expect(api.baseUrl(one?.settings ?? {})).toMatch(/^https:\/\/[^?#]+[^/?#]$/);
  });

  it('is needed before anything is booked', () => {
    for (const one of cases.filter(({ fetched = [] }) => fetched.length > 0)) {
      const webhook = identified(one);
      expect([one.says, read(() => provider.normalise(webhook, contextWith(one.settings)))]).toEqual([
        one.says,
        undefined,
      ]);
    }
  });

  it('never throws, whatever came', () => {
    for (const one of cases)
      for (const rawBody of hostileBodies())
        read(() =>
          fetchBack.next({ ...identified(one), rawBody }, { settings: one.settings ?? {}, ...access }),
        );
  });
}

/** The events; undefined where there are none, or the payload is refused. */
function read<T>(make: () => T): T | undefined {
  try {
    const made = make();
    const isIgnored = typeof made === 'object' && made !== null && 'ignored' in made;
    return isIgnored ? undefined : made;
  } catch (error) {
    if (error instanceof UnreadablePayload) return undefined;
    throw error;
  }
}

function hostileBodies(): Buffer[] {
  return [
    Buffer.alloc(0),
    Buffer.from('null'),
    Buffer.from('[]'),
    Buffer.from('"text"'),
    Buffer.from('12'),
    Buffer.from('{}'),
    Buffer.from('{"id": 1'),
    Buffer.from('a=1&b=2'),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from(`${'['.repeat(10_000)}${']'.repeat(10_000)}`),
    Buffer.from(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    Buffer.from('{"__proto__": {"id": 1, "total": "5.00", "total_price": "5.00", "status": "completed"}}'),
  ];
}

/** @param texts the delivery's and those of what was fetched */
function checkMutation(
  provider: SourceProvider,
  folder: string,
  one: SourceCase,
  [rawBody = Buffer.alloc(0), ...bodies]: readonly Buffer[],
): void {
  const fetched = fetchedIn(folder, one).map((answer, index) => ({
    ...answer,
    body: bodies[index] ?? answer.body,
  }));
  let normalised;
  try {
    normalised = provider.normalise(stored(one.topic, rawBody, {}, fetched), contextWith(one.settings));
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadablePayload);
    return;
  }
  if (!('events' in normalised)) return;
  const text = [rawBody, ...bodies].join('\n');
  const amounts = one.minorUnits ? minorUnitsIn(text) : amountsIn(text);
  const most = amounts.reduce((sum, amount) => (amount > 0n ? sum + amount : sum), 0n);
  for (const event of normalised.events) {
    expect(event.key.startsWith('loja/')).toBe(true);
    expect(Number.isNaN(event.occurredAt.getTime())).toBe(false);
    for (const amount of amountsBookedFrom(event)) {
      expect(amount).toBeGreaterThanOrEqual(0n);
      // A fee may be the sum of what is kept for several reasons.
      if (one.parts || event.type === 'fee.charged') expect(amount).toBeLessThanOrEqual(most);
      else expect(amounts).toContain(amount);
    }
  }
}
