import type { CanonicalEvent } from '../events/event';
import type { PrivacyEvent } from '../events/privacy';
import type { Unbooked } from '../events/unbooked';
import type { HookRegistration } from './hook-registration';
import type { AboutLine, ImportedWebhook, ProviderList } from './missed-webhooks';

/** What a source is set to, by the names of its provider's settings. */
export type Settings = Readonly<Record<string, unknown>>;

/** One HTTP request on a source's address, as received. */
export interface IncomingWebhook {
  method: string;
  /** Names in lower case; a repeated header is joined with a comma, as HTTP says. */
  headers: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | undefined>>;
  /** What the address has after the source's name: the secret of a sender that cannot sign. Absent: nothing. */
  token?: string;
  /** The exact bytes of the body. */
  rawBody: Buffer;
  /** Of the keys that {@link PublicKeys.paths} names those that there are, as PEM by their paths. Absent: none. */
  publicKeys?: Readonly<Record<string, string>>;
}

/** What names a delivery. Made without trusting the body: it never throws. */
export interface WebhookIdentity {
  /** The provider's topic, for example `orders/paid`; `unknown` when it sends none. */
  topic: string;
  /** Unique in the source: the same key again is the same delivery. */
  dedupeKey: string;
  /**
   * The delivery says no more than that something changed. The same key again is the same delivery only until Ponte
   * begins to fetch what it names back; from then on it is a new one. Absent: it is the same for ever.
   */
  untilFetched?: true;
  /** Deliveries with one ordering key are worked on one after another: the entity they speak of. */
  orderingKey: string;
  /** Header facts that `normalise` needs later (times, shop domain); small, no secrets. */
  attributes: Record<string, string>;
}

/**
 * What a request proves. `bodyUnsigned`: its sender knows the secret, and no signature covers the body, so that what it
 * says is booked only after it was fetched back. `signed`: the signature is right, and the request is refused for another
 * reason, which its sender may know.
 */
export type Verification = { ok: true; bodyUnsigned?: true } | { ok: false; reason: string; signed?: true };

/** A stored delivery, ready to be understood. */
export interface StoredWebhook {
  topic: string;
  attributes: Readonly<Record<string, string>>;
  rawBody: Buffer;
  receivedAt: Date;
  /** What the provider's API answered about it, in the order of the requests; absent or empty: nothing yet. */
  fetched?: readonly FetchedAnswer[];
}

/** What a provider's API answered to one request of {@link FetchBack.next}. */
export interface FetchedAnswer {
  /** The name that the request gave it. */
  readonly name: string;
  /** 2xx, or one of the request's `answers`. */
  readonly status: number;
  /** Its text, as it came. */
  readonly body: Buffer;
}

/** A request to a provider's API that changes nothing there. */
export interface FetchRequest {
  /** What it asks for, unique in the delivery: `payment`, `order`. */
  readonly name: string;
  /** Below the base address, with its query: `/v1/payments/123`. Without secrets. */
  readonly path: string;
  /** Names in lower case; secrets stand here. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the API wants to be asked with POST: what is sent. Absent: it is a GET. */
  readonly body?: RequestBody;
  /** Statuses besides 2xx that are an answer and no failure; 404 and 410 where this is absent. */
  readonly answers?: readonly number[];
}

/** What a POST sends. Secrets may stand in it. */
export interface RequestBody {
  /** `application/json`, `application/x-www-form-urlencoded`. */
  readonly contentType: string;
  readonly text: string;
}

/** What a request to a provider's API is made with. */
export interface FetchAccess {
  readonly settings: Settings;
  /** As the operator entered them, by their names; a refresh token is the newest one. */
  readonly credentials: Readonly<Record<string, string>>;
  /** One that is valid now, where the API has {@link SourceApi.accessTokens}. */
  readonly accessToken?: string;
}

export interface CredentialSpec {
  /** What it is, and where the provider shows it. */
  readonly description: string;
}

/** A provider's API: where it is, and what it wants to see of whoever asks. */
export interface SourceApi {
  /**
   * All of them, or none: without them nothing is asked. What has to be fetched back is a dead letter then; a provider without
   * {@link SourceProvider.fetchBack} is received from as usual.
   */
  readonly credentials: Readonly<Record<string, CredentialSpec>>;
  /** Its address, without a slash at its end; the source's setting `apiUrl` goes before the usual one. */
  baseUrl(settings: Settings): string;
  /** Where it takes access tokens that run out. */
  readonly accessTokens?: AccessTokens;
}

/**
 * Access tokens (OAuth 2.0). Ponte asks for one before the first request, again before it runs out, and again where the API
 * answers 401; all replicas use the same.
 */
export interface AccessTokens {
  /** The whole address that grants them. */
  url(settings: Settings): string;
  /** What is sent there with POST. */
  grant(access: Omit<FetchAccess, 'accessToken'>): Required<Pick<FetchRequest, 'headers' | 'body'>>;
  /** @returns undefined where the answer grants none */
  read(answer: Buffer): GrantedAccess | undefined;
  /** The credential that is a refresh token, and that {@link GrantedAccess.refreshToken} replaces. Absent: none is. */
  readonly refreshToken?: string;
}

/** What was granted. */
export interface GrantedAccess {
  readonly accessToken: string;
  /** Absent: an hour. */
  readonly expiresInSeconds?: number;
  /** The one to be used next time; absent: the same again. */
  readonly refreshToken?: string;
}

/**
 * Fetching what a delivery names from the provider's API, before it is normalised. The worker sends the requests and
 * stores the answers with the delivery, so that nothing is asked twice; this only says what to ask.
 */
export interface FetchBack {
  /**
   * What to ask next, given what was answered so far; undefined: nothing more.
   * @throws UnreadablePayload
   */
  next(webhook: StoredWebhook, access: FetchAccess): FetchRequest | undefined;
  /**
   * Whether an answer says that the API is asked too often, where it does not say so by status 429: nothing is asked of it
   * for a minute then. It never throws. Absent: none does.
   */
  isTooOften?(answer: FetchedAnswer): boolean;
  /** The entity that it turns out to be about, as {@link WebhookIdentity.orderingKey}; undefined or absent: as before. */
  orderingKey?(webhook: StoredWebhook): string | undefined;
}

/**
 * Public keys that a provider publishes on a host of its own, and that its requests name. Ponte fetches them before it
 * verifies a request, and keeps each for half a day.
 */
export interface PublicKeys {
  /** The host's address, without a slash at its end. Nothing of a request has a part in it. */
  baseUrl(settings: Settings): string;
  /**
   * Paths below it of the keys that a request names, two at most; none where no key could make it genuine, so that nothing is
   * fetched for it. It never throws.
   */
  paths(request: IncomingWebhook, secrets: readonly string[]): readonly string[];
  /** The keys of {@link SourceProvider.sign}, as PEM by their paths. The provider's own host does not have them. */
  ofSigner(): Readonly<Record<string, string>>;
}

/** IANA zones in which a payload's dates are read. */
export interface DateZones {
  /** For times that carry none: the source's own setting, else the organization's. */
  timeZone: string;
  /**
   * For days without a time, which are days of the books whatever clocks the source has: the organization's. Absent: it is
   * {@link timeZone} too.
   */
  dayZone?: string;
}

/** What normalising may know of its surroundings. */
export interface SourceContext extends DateZones {
  /** The source's slug: the first part of every business key. */
  source: string;
  /** The organization's currency, for payloads that name none. */
  currency: string;
  settings: Settings;
}

/** What came of a delivery: events, or the reason why it means nothing to us. */
export type Normalised =
  | {
      events: CanonicalEvent[];
      /** What it says of money besides, for a person; absent: nothing. */
      unbooked?: Unbooked[];
    }
  | {
      ignored: string;
      /**
       * The business key of the entity that it is about all the same, so that it is found by it, and a comparison knows that it
       * came; absent: nothing says which.
       */
      key?: string;
      /** What it says of money all the same. */
      unbooked?: Unbooked[];
      /** What it asks for about personal data; absent: nothing. */
      privacy?: PrivacyEvent;
    };

export interface SettingSpec {
  type: 'string' | 'number' | 'boolean';
  description: string;
  required?: boolean;
  default?: string | number | boolean;
  /** What the text has to be besides; absent: any text. */
  format?: 'time-zone' | 'web-address';
}

/** Why a setting does not fit: the message continues its name, without its value. */
export interface SettingProblem {
  readonly name: string;
  readonly message: string;
}

/** A message to be signed the way a provider signs its own. */
export interface MessageToSign {
  /** As configured on the source. */
  secret: string;
  /** The body as it will be sent, to the byte. */
  body: string | Uint8Array;
  /** The provider's topic; a provider that has it in the body ignores this one. */
  topic: string;
  /** What the provider would know this delivery by. */
  id: string;
  sentAt: Date;
}

/** A webhook to try a source with: nobody's data, the provider's own shape. */
export interface Sample {
  /** Unique in the provider: `orders-paid`. */
  readonly name: string;
  readonly topic: string;
  readonly body: Buffer;
  /** What the provider's API would answer about it. */
  readonly fetched?: readonly FetchedAnswer[];
}

/** A reply a provider expects to a probe or handshake, instead of a delivery. */
export interface HandshakeReply {
  status: number;
  contentType: string;
  body: string;
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Everything Ponte knows about one provider of webhooks. Pure: no I/O, no framework, no clock of its own.
 */
export interface SourceProvider {
  /** Lower-case name used in configuration, for example `shopify`. */
  readonly id: string;
  readonly title: string;
  /** What an operator may set on a source of this provider. */
  readonly settings: Readonly<Record<string, SettingSpec>>;
  /** What is wrong with settings that each fit; undefined when nothing is. Absent: nothing ever is. */
  checkSettings?(settings: Settings): SettingProblem | undefined;
  /** Steps to connect a real shop, in order, for a person. */
  readonly setUp: readonly string[];
  /**
   * Headers of signatures, in lower case: a request that has none of them cannot be genuine, and its body is not read.
   * Absent: a signature may be elsewhere, and every body is read.
   */
  readonly signatureHeaders?: readonly string[];
  /**
   * Answers probes that carry no signature, with any method (GET, HEAD, OPTIONS, POST); undefined for everything else.
   * Stores nothing. The body of an answer to HEAD is not sent.
   * @param settings absent: none are set
   */
  handshake?(request: IncomingWebhook, settings?: Settings): HandshakeReply | undefined;
  /** Longest body of such a probe, in bytes. */
  readonly longestHandshake?: number;
  /**
   * Compares in constant time against every live secret. No secret: never ok.
   * @param now for providers with a timestamp tolerance
   */
  verify(request: IncomingWebhook, secrets: readonly string[], settings: Settings, now: Date): Verification;
  /** The keys that {@link verify} needs, where the provider publishes them; absent: it needs none. */
  readonly publicKeys?: PublicKeys;
  /** How far, in seconds, a message's own time may be from now, before or after; absent: nothing signed has a time. */
  readonly toleranceSeconds?: number;
  /** Why a secret can never verify anything, as a sentence; undefined when it may. Absent: any text is one. */
  checkSecret?(secret: string): string | undefined;
  /**
   * The store that a request is about, where one address serves many: it goes to the source of this provider whose setting
   * `storeId` names that store, and is verified there. Without a trusted body; it never throws. Undefined or absent: to the
   * source that the address names.
   */
  storeOf?(request: IncomingWebhook): string | undefined;
  /** @param settings absent: none are set */
  identify(request: IncomingWebhook, settings?: Settings): WebhookIdentity;
  /** Its API; absent: it has none that Ponte uses. */
  readonly api?: SourceApi;
  /** Where deliveries name what happened and do not say it, or nothing signs them. Needs {@link api}. */
  readonly fetchBack?: FetchBack;
  /** After how many hours in which it had nothing to send the provider removes its webhook. Absent: it does not. */
  readonly removedWhenQuietHours?: number;
  /**
   * When it switches a webhook off because deliveries failed. Every answer but 2xx counts as a failure. Absent: it does not, or
   * does not say when.
   */
  readonly switchesOff?: SwitchOff;
  /** How webhooks are registered at its {@link api}; absent: a person does it, by {@link setUp}. */
  readonly hooks?: HookRegistration;
  /** The status that a stored delivery is answered with; absent: 200. */
  readonly acceptedStatus?: 200 | 202;
  /**
   * What the provider would have sent for a line of an import that is no webhook's body, such as an order as its API gives it;
   * undefined: the line is a webhook's body. Absent: every line is, if its topic is in it, or else none can be imported.
   * @throws UnreadablePayload why it cannot be imported
   */
  importLine?(line: Buffer, about: AboutLine): ImportedWebhook | undefined;
  /** Its own list of what its webhooks tell; absent: it has none that Ponte reads. Needs {@link api}. */
  readonly list?: ProviderList;
  /** @throws UnreadablePayload */
  normalise(webhook: StoredWebhook, context: SourceContext): Normalised;
  /**
   * The headers with which the provider would send a message, names in lower case: for tests, the demo and trying a
   * source out. Ponte itself sends none.
   * @throws Error when it cannot sign with this secret
   */
  sign(message: MessageToSign): Record<string, string>;
  /** The body as the provider would send it to a source with this secret, where the secret is in it; absent: as it is. */
  bodyFor?(body: Buffer, secret: string): Buffer;
  /** What the provider would add to the query of the same message's address; absent: nothing. */
  signQuery?(message: MessageToSign): Record<string, string>;
  /** Set where the secret is the last part of the address, because the provider cannot sign. */
  readonly secretInAddress?: true;
  /** Set where the topic is in the body, so that nobody has to name it. */
  readonly topicInBody?: true;
  /** Webhooks to try a source with, one at least; the topic of the first is named as an example. */
  readonly samples: readonly Sample[];
}

/** When a provider switches a webhook off by itself, because deliveries to it failed. */
export interface SwitchOff {
  /** So many failed deliveries in a row, or so many hours in which none succeeded. */
  readonly after: { readonly failures: number } | { readonly hours: number };
  /** Where each topic has a webhook of its own, whose failures are counted by themselves. Absent: one webhook brings all. */
  readonly eachTopic?: {
    /** The header that names the topic, in lower case. Nothing proves it. */
    readonly header: string;
    /** Those that are told apart; all others are counted together. They are the topics of deliveries, too. */
    readonly topics: readonly string[];
  };
}
