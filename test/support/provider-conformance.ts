import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Money } from '../../src/kernel/money';
import { type IncomingWebhook, type SourceProvider, UnreadablePayload } from '../../src/sources/source';
import {
  casesIn,
  contextWith,
  OTHER_SECRET,
  outcomeOf,
  SECRET,
  SENT_AT,
  type SourceCase,
  stored,
} from './source-cases';
import { propertyRuns } from './property-runs';
import { amountsIn, moneyIn, mutations } from './mutations';

/**
 * Everything that every provider has to do: a spec calls it once and gets the tests of all of it.
 * @param folder of the provider's `cases.json` and what its cases name
 */
export function conformsToContract(provider: SourceProvider, folder: string): void {
  describe(`the provider ${provider.id}`, () => describeProvider(provider, folder));
}

function describeProvider(provider: SourceProvider, folder: string): void {
  const cases = casesIn(folder);
  const told = cases.filter((one) => one.expected !== undefined);
  const [sample] = told;
  if (!sample) throw new Error(`${provider.id} has no case that comes to events`);

  function request(one: SourceCase, secret = SECRET, sentAt = SENT_AT): IncomingWebhook {
    return signed(read(one.file), one.topic, secret, sentAt);
  }

  function signed(rawBody: Buffer, topic: string, secret = SECRET, sentAt = SENT_AT): IncomingWebhook {
    const headers = provider.sign({ secret, body: rawBody, topic, id: 'd-1', sentAt });
    return { method: 'POST', headers, query: {}, rawBody };
  }

  function read(file: string): Buffer {
    return readFileSync(join(folder, file));
  }

  const verify = (incoming: IncomingWebhook, secrets: string[] = [SECRET], now = SENT_AT) =>
    provider.verify(incoming, secrets, {}, now);

  describe('signature', () => {
    it('is accepted when it was made with the secret', () => {
      expect(verify(request(sample))).toEqual({ ok: true });
    });

    it('is accepted when it was made with the second of two live secrets', () => {
      expect(verify(request(sample), [OTHER_SECRET, SECRET])).toEqual({ ok: true });
    });

    it('is refused for another secret', () => {
      expect(verify(request(sample), [OTHER_SECRET]).ok).toBe(false);
    });

    it('is refused when one byte of the body changed, whichever it is', () => {
      const genuine = request(sample);
      fc.assert(
        fc.property(fc.nat(genuine.rawBody.length - 1), fc.integer({ min: 1, max: 255 }), (index, flip) => {
          const rawBody = Buffer.from(genuine.rawBody);
          rawBody[index] = (rawBody[index] ?? 0) ^ flip;
          expect(verify({ ...genuine, rawBody }).ok).toBe(false);
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

    it('is refused when the body was cut short', () => {
      const genuine = request(sample);
      expect(verify({ ...genuine, rawBody: genuine.rawBody.subarray(0, -1) }).ok).toBe(false);
    });

    it.each([[[]], [['']], [['', '   ']]])(
      'is refused by a source whose secrets are %j',
      (secrets: string[]) => {
        const unkeyed = { ...request(sample), headers: {} };
        expect(verify(request(sample), secrets).ok).toBe(false);
        expect(verify(unkeyed, secrets).ok).toBe(false);
      },
    );

    it('is refused when it is missing, empty or of another length', () => {
      const genuine = request(sample);
      const name = Object.keys(genuine.headers).find((header) => /hmac|signature/.test(header)) ?? '';
      for (const value of [undefined, '', ' ', 'x', `${genuine.headers[name] ?? ''}A`, 'A'.repeat(10_000)]) {
        const verified = verify({ ...genuine, headers: { ...genuine.headers, [name]: value } });
        expect(verified).toEqual({ ok: false, reason: expect.any(String) });
      }
    });

    it('is refused without saying anything of the secret or the right signature', () => {
      const verified = verify(request(sample, OTHER_SECRET));
      const text = JSON.stringify(verified);
      expect(text).not.toContain(SECRET);
      for (const value of Object.values(request(sample).headers)) {
        if (value && /[+/=]/.test(value) && value.length > 30) expect(text).not.toContain(value);
      }
    });
  });

  describe('identity', () => {
    it('names the topic, and puts all deliveries of one entity into one lane', () => {
      for (const one of cases) {
        const identity = provider.identify(request(one));
        expect(identity.topic).toBe(one.topic);
        expect(identity.orderingKey).toMatch(/^(order|customer|payout|dispute|delivery)\//);
      }
    });

    it('is the same for the same delivery', () => {
      expect(provider.identify(request(sample))).toEqual(provider.identify(request(sample)));
    });

    it('never throws, whatever the request is, and yields keys an index can hold', () => {
      const text = fc.string({ unit: 'binary', maxLength: 5000 });
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
        stored(topic, incoming.rawBody, attributes),
        contextWith(one.settings),
      );
      const expected: unknown =
        one.expected === undefined
          ? { ignored: one.ignored, ...(one.unbooked && { unbooked: one.unbooked }) }
          : { events: JSON.parse(read(`expected/${one.expected}`).toString('utf8')) };
      expect(outcome).toEqual(expected);
    });

    it('under a topic that nobody has heard of means nothing, and is no error', () => {
      const unheard = 'unheard.of';
      const text = read(sample.file).toString('utf8');
      const rawBody = Buffer.from(
        provider.topicInBody ? text.replaceAll(JSON.stringify(sample.topic), JSON.stringify(unheard)) : text,
      );
      const incoming = signed(rawBody, unheard);
      expect(verify(incoming)).toEqual({ ok: true });
      const { topic, attributes } = provider.identify(incoming);
      expect(topic).toBe(unheard);
      expect(provider.normalise(stored(topic, rawBody, attributes), contextWith())).toEqual({
        ignored: expect.stringContaining(unheard),
      });
    });

    it('has a case for every fixture', () => {
      const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
      const used = new Set(cases.map((one) => one.file));
      expect(files.filter((file) => file !== 'cases.json' && !used.has(file))).toEqual([]);
    });

    it('is kept in raw with every digit, without __proto__', () => {
      const text = read(sample.file).toString('utf8');
      const rawBody = Buffer.from(
        text.replace(
          '{',
          '{"__proto__": {"polluted": true}, "own": {"__proto__": 1, "big": 12345678901234567890},',
        ),
      );
      const normalised = provider.normalise(stored(sample.topic, rawBody), contextWith(sample.settings));
      const raw = 'events' in normalised ? normalised.events[0]?.raw : undefined;
      expect(raw).toMatchObject({ own: { big: '12345678901234567890' } });
      expect(Object.keys(raw as object)).not.toContain('__proto__');
      expect((raw as { polluted?: unknown }).polluted).toBeUndefined();
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it('that is truncated anywhere is unreadable', () => {
      const body = read(sample.file);
      const end = body.toString('utf8').trimEnd().length;
      fc.assert(
        fc.property(fc.nat(end - 2), (length) => {
          const rawBody = Buffer.from(body.toString('utf8').slice(0, length));
          expect(() => provider.normalise(stored(sample.topic, rawBody), contextWith())).toThrow(
            UnreadablePayload,
          );
        }),
        { numRuns: propertyRuns(50) },
      );
    });

    it.each(hostileBodies().map((body) => [body.toString('latin1').slice(0, 20), body] as const))(
      'that is hostile (%j…) is unreadable',
      (_name, rawBody) => {
        expect(() => provider.normalise(stored(sample.topic, rawBody), contextWith())).toThrow(
          UnreadablePayload,
        );
      },
    );

    it('with anything anywhere is read or unreadable, and no money is made up', () => {
      const anyCase = fc.constantFrom(...told);
      const mutated = anyCase.chain((one) => mutations(read(one.file)).map((text) => ({ one, text })));
      fc.assert(
        fc.property(mutated, ({ one, text }) => checkMutation(provider, one, text)),
        { numRuns: propertyRuns(150) },
      );
    });
  });

  it('has samples, each under a name of its own, that mean something', () => {
    const { samples } = provider;
    expect(samples.length).toBeGreaterThan(0);
    expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length);
    for (const { topic, body } of samples) {
      expect(verify(signed(body, topic))).toEqual({ ok: true });
      const { attributes } = provider.identify(signed(body, topic));
      expect(provider.normalise(stored(topic, body, attributes), contextWith())).toMatchObject({
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

function checkMutation(provider: SourceProvider, one: SourceCase, text: string): void {
  const rawBody = Buffer.from(text);
  let normalised;
  try {
    normalised = provider.normalise(stored(one.topic, rawBody), contextWith(one.settings));
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadablePayload);
    return;
  }
  if (!('events' in normalised)) return;
  const amounts = amountsIn(text);
  for (const event of normalised.events) {
    expect(event.key.startsWith('loja/')).toBe(true);
    expect(Number.isNaN(event.occurredAt.getTime())).toBe(false);
    for (const money of moneyIn(event)) {
      expect(money).toBeInstanceOf(Money);
      expect(money.isNegative).toBe(false);
      expect(amounts).toContain(money.minor);
    }
  }
}
