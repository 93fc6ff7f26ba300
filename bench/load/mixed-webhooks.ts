import { peekJson } from '../../src/sources/identity';
import { textSetting } from '../../src/sources/settings';
import type { IncomingWebhook, Sample, SourceProvider } from '../../src/sources/source';
import { casesOf, SECRET } from '../../test/support/source-cases';

/** A source of the load: what it is made with, and what is sent to it. */
export interface MixedSource {
  provider: SourceProvider;
  /** Unique in the organization. */
  slug: string;
  settings: Readonly<Record<string, unknown>>;
  secret: string;
}

/** What is sent: the same as an object and as bytes of HTTP. */
export interface MixedWebhook {
  source: MixedSource;
  webhook: IncomingWebhook;
  request: Buffer;
}

/** Makes a sample's body another one. */
type Vary = (body: Buffer, number: number) => Buffer;

const SHORTEST_TOKEN = 4;

/** A source of each provider, with settings that take its samples. @param keysUrl where the keys of those that publish some are */
export function mixedSources(providers: readonly SourceProvider[], keysUrl: string): MixedSource[] {
  return providers.map((provider) => ({
    provider,
    slug: `of-${provider.id}`,
    settings: settingsFor(provider, keysUrl),
    secret: SECRET,
  }));
}

function settingsFor(provider: SourceProvider, keysUrl: string): Record<string, unknown> {
  const [sample] = provider.samples;
  const [{ settings = {} } = {}] = casesOf(provider.id);
  const store = sample && provider.storeOf?.(incoming(provider, sample, 'a'));
  return {
    ...settings,
    ...namedIn(provider, sample),
    ...(store !== undefined && provider.settings['storeId'] && { storeId: store }),
    ...(provider.publicKeys && { keysUrl }),
  };
}

/** What a sample says under the name of a setting, because the provider's webhooks are compared with it. */
function namedIn(provider: SourceProvider, sample: Sample | undefined): Record<string, string> {
  const body = peekJson(sample?.body ?? Buffer.alloc(0));
  const named = Object.entries(body).filter(([name]) => provider.settings[name]?.required);
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

/** Webhooks of all these sources in turns, signed, each a delivery of its own as far as the provider's samples allow. */
export class MixedWebhooks {
  private made = 0;
  private readonly host: string;
  private readonly kinds: readonly (readonly ((number: number) => MixedWebhook)[])[];

  /** @param url of the service they are for; they are sent to its organization `main` */
  constructor(url: string, sources: readonly MixedSource[]) {
    this.host = new URL(url).host;
    this.kinds = sources.map((source) =>
      source.provider.samples
        .filter((sample) => isForStore(source, sample))
        .map((sample) => this.maker(source, sample)),
    );
  }

  next(): MixedWebhook {
    const number = (this.made += 1);
    const kinds = this.kinds[number % this.kinds.length] ?? [];
    const make = kinds[Math.floor(number / this.kinds.length) % kinds.length];
    if (!make) throw new Error('a provider has no sample that its source takes');
    return make(number);
  }

  private maker(source: MixedSource, sample: Sample): (number: number) => MixedWebhook {
    const { provider, settings } = source;
    const start = `${process.pid}-${(starts += 1)}`;
    const make = (number: number, vary: Vary): IncomingWebhook =>
      incoming(provider, { ...sample, body: vary(sample.body, number) }, `${start}-${number}`);
    const keyOf = (webhook: IncomingWebhook): string => provider.identify(webhook, settings).dedupeKey;
    const vary = waysOf(keyOf(make(0, asItIs)), sample).find(
      (way) => keyOf(make(1, way)) !== keyOf(make(2, way)),
    );
    if (!vary) throw new Error(`samples of ${provider.id} cannot be told apart`);
    return (number) => {
      const webhook = make(number, vary);
      return { source, webhook, request: bytesOf(source, webhook, this.host) };
    };
  }
}

let starts = 0;

const asItIs: Vary = (body) => body;

/**
 * Ways to make a sample another delivery, in the order in which they are tried: under another id alone, with another of the texts that
 * its key has of its body, with a member that means nothing, and with another of the texts of its body.
 */
function waysOf(key: string, { body }: Sample): Vary[] {
  const text = body.toString();
  const tokens = key
    .split(/[:/|+]/)
    .filter((token) => token.length >= SHORTEST_TOKEN && text.includes(token))
    .toSorted((one, other) => other.length - one.length);
  const withAnother = (token: string): Vary => {
    return (_body, number) => Buffer.from(text.replaceAll(token, numbered(token, number)));
  };
  const values = Object.values(peekJson(body)).filter((value) => typeof value === 'string');
  return [
    asItIs,
    ...tokens.map(withAnother),
    (_body, number) => Buffer.from(text.replace('{', `{"numberOfLoad":${number},`)),
    ...values.filter((value) => value.length >= SHORTEST_TOKEN).map(withAnother),
  ];
}

/** A text of the same length that ends with a number. */
function numbered(token: string, number: number): string {
  const digits = String(number);
  return `${token.slice(0, Math.max(1, token.length - digits.length - 1))}${digits.padStart(Math.min(token.length - 1, digits.length + 1), '0')}`;
}

function isForStore({ provider, settings }: MixedSource, sample: Sample): boolean {
  const own = textSetting(settings, 'storeId');
  const store = provider.storeOf?.(incoming(provider, sample, 'a'));
  return store === undefined || store === own;
}

function incoming(provider: SourceProvider, { topic, body }: Sample, id: string): IncomingWebhook {
  const rawBody = provider.bodyFor?.(body, SECRET) ?? body;
  const message = { secret: SECRET, body: rawBody, topic, id, sentAt: new Date() };
  return {
    method: 'POST',
    headers: provider.sign(message),
    query: provider.signQuery?.(message) ?? {},
    ...(provider.secretInAddress && { token: SECRET }),
    ...(provider.publicKeys && { publicKeys: provider.publicKeys.ofSigner() }),
    rawBody,
  };
}

function bytesOf({ slug }: MixedSource, webhook: IncomingWebhook, host: string): Buffer {
  const { token, headers, rawBody } = webhook;
  const query = new URLSearchParams(webhook.query as Record<string, string>).toString();
  const path = `/hooks/main/${slug}${token === undefined ? '' : `/${encodeURIComponent(token)}`}`;
  const lines = Object.entries({ host, ...headers, 'content-length': String(rawBody.length) });
  const head = lines.map(([name, value]) => `${name}: ${value ?? ''}\r\n`).join('');
  const target = query === '' ? path : `${path}?${query}`;
  return Buffer.concat([Buffer.from(`POST ${target} HTTP/1.1\r\n${head}\r\n`), rawBody]);
}
