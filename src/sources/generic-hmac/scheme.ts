import { createHmac } from 'node:crypto';
import { textSetting } from '../settings';
import type { IncomingWebhook, SettingProblem, SettingSpec, Settings } from '../source';

const ALGORITHMS = ['sha256', 'sha512'] as const;
const ENCODINGS = ['hex', 'base64'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];
export type Encoding = (typeof ENCODINGS)[number];

export const DEFAULT_HEADER = 'x-hub-signature-256';
export const DEFAULT_TOLERANCE_SECONDS = 300;
const PLACE = /\{(body|timestamp|id)\}/;

/** The settings that describe a scheme, all but that of the id. */
export const SCHEME_SETTINGS = {
  header: {
    type: 'string',
    description: 'Header that holds the signature; X-Hub-Signature-256 when not set.',
  },
  algorithm: { type: 'string', description: 'sha256 or sha512.', default: 'sha256' },
  encoding: { type: 'string', description: 'hex or base64.', default: 'hex' },
  prefix: {
    type: 'string',
    description:
      'What stands before the signature in its header, such as v1=; the name of the algorithm and = may stand there without it.',
  },
  signed: {
    type: 'string',
    description:
      'What is signed, with {body}, {timestamp} and {id} for what the request brings, such as {timestamp}.{body}.',
    default: '{body}',
  },
  timestampHeader: {
    type: 'string',
    description:
      'Header that holds the time of signing: seconds or milliseconds since 1970, or ISO 8601 with an offset.',
  },
  toleranceSeconds: {
    type: 'number',
    description: 'How many seconds the time of signing may be off, before or after.',
    default: 300,
  },
} as const satisfies Record<string, SettingSpec>;

/** How a system signs its webhooks. */
export interface Scheme {
  /** Header of the signature, in lower case. */
  readonly header: string;
  readonly algorithm: Algorithm;
  readonly encoding: Encoding;
  /** What stands before the signature in its header; the algorithm's name and `=` may stand there as well. */
  readonly prefix: string;
  /** What is signed: text, and the names of what the request brings. */
  readonly signed: readonly SignedPart[];
  /** Header of the time at which it was signed, in lower case; undefined: it has none. */
  readonly timestampHeader: string | undefined;
  readonly toleranceSeconds: number;
  /** Header of what the delivery is known by, in lower case; undefined: its content. */
  readonly idHeader: string | undefined;
}

export type SignedPart = { readonly text: string } | { readonly of: 'body' | 'timestamp' | 'id' };

/** Reads the settings of a source. @returns which of them says nothing by which a request could be verified */
export function readScheme(settings: Settings): Scheme | SettingProblem {
  const algorithm = oneOf(ALGORITHMS, textSetting(settings, 'algorithm') ?? 'sha256');
  const encoding = oneOf(ENCODINGS, textSetting(settings, 'encoding') ?? 'hex');
  if (!algorithm) return { name: 'algorithm', message: 'must be sha256 or sha512' };
  if (!encoding) return { name: 'encoding', message: 'must be hex or base64' };
  const signed = partsOf(textSetting(settings, 'signed') ?? '{body}');
  const headers = ['header', 'timestampHeader', 'idHeader'].map((name) =>
    textSetting(settings, name)?.toLowerCase(),
  );
  const [header = DEFAULT_HEADER, timestampHeader, idHeader] = headers;
  if (!signs(signed, 'body'))
    return { name: 'signed', message: 'must name {body}: what is not signed can be changed by anybody' };
  if (signs(signed, 'timestamp') && timestampHeader === undefined)
    return { name: 'timestampHeader', message: 'is required where {timestamp} is signed' };
  if (timestampHeader !== undefined && !signs(signed, 'timestamp'))
    return { name: 'signed', message: 'must name {timestamp}: a time that is not signed proves nothing' };
  if (signs(signed, 'id') && idHeader === undefined)
    return { name: 'idHeader', message: 'is required where {id} is signed' };
  const { toleranceSeconds } = settings;
  return {
    ...{ header, algorithm, encoding, prefix: textSetting(settings, 'prefix') ?? '', signed },
    ...{ timestampHeader, idHeader },
    toleranceSeconds: typeof toleranceSeconds === 'number' ? toleranceSeconds : DEFAULT_TOLERANCE_SECONDS,
  };
}

/** What is wrong with the settings of a source; undefined where they describe a scheme. */
export function checkScheme(settings: Settings): SettingProblem | undefined {
  const scheme = readScheme(settings);
  return 'message' in scheme ? scheme : undefined;
}

/** The signature of a request as its sender makes it, without what stands before it. */
export function signatureOf(
  { algorithm, encoding, signed, timestampHeader, idHeader }: Scheme,
  secret: string,
  { headers, rawBody }: Pick<IncomingWebhook, 'headers' | 'rawBody'>,
): string {
  const brought = {
    body: rawBody,
    timestamp: valueOf(headers, timestampHeader),
    id: valueOf(headers, idHeader),
  };
  const hmac = createHmac(algorithm, secret);
  for (const part of signed) hmac.update('text' in part ? part.text : brought[part.of]);
  return hmac.digest(encoding);
}

/** A header's value; empty where it is not there. */
export function valueOf(headers: IncomingWebhook['headers'], name: string | undefined): string {
  return name === undefined ? '' : (headers[name] ?? '');
}

function oneOf<T extends string>(known: readonly T[], text: string): T | undefined {
  return known.find((one) => one === text.toLowerCase());
}

function partsOf(template: string): SignedPart[] {
  return template
    .split(PLACE)
    .map((text, index): SignedPart => (index % 2 === 0 ? { text } : { of: text as 'body' }));
}

function signs(parts: readonly SignedPart[], of: 'body' | 'timestamp' | 'id'): boolean {
  return parts.some((part) => 'of' in part && part.of === of);
}
