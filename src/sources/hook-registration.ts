import type {
  FetchAccess,
  FetchedAnswer,
  FetchRequest,
  RequestBody,
  SettingProblem,
  Settings,
} from './source';

/**
 * A request to a provider's API that changes something there. It is no {@link FetchRequest}, so that nobody repeats it as one:
 * where its outcome is unknown, what is registered is listed first.
 */
export interface ChangeRequest {
  readonly method: 'POST' | 'PUT';
  /** Below the API's base address. Without secrets. */
  readonly path: string;
  /** Names in lower case; secrets stand here. */
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets may stand here. */
  readonly body: RequestBody;
}

/** A webhook as the provider has it. */
export interface RegisteredHook {
  /** The provider's own name for it. */
  readonly id: string;
  /** Where it sends. It may hold somebody's secret. */
  readonly address: string;
  readonly topics: readonly string[];
  readonly enabled: boolean;
  /** Why it is not enabled, as a sentence of ours; absent: the provider does not say. */
  readonly problem?: string;
}

/** A webhook as it has to be. */
export interface WantedHook {
  readonly address: string;
  /** One where the provider has a hook for each topic. */
  readonly topics: readonly string[];
  /** The source's newest secret; absent where the provider is not given one. */
  readonly secret?: string;
  /** Unique to this one; the same where the same request is sent once more. */
  readonly key: string;
}

/** How a provider's API lists, makes and changes its webhooks. Pure: it names requests and reads answers. */
export interface HookRegistration {
  /** Whether the provider has one hook for each topic, or one for all of them. */
  readonly hookFor: 'each-topic' | 'all-topics';
  /**
   * Where the secret that its messages are signed with comes from: Ponte gives it the source's newest one; or the answer to the
   * creation has it, once; or it belongs to the account or app, and the operator has entered it.
   */
  readonly secret: 'given' | 'answered' | 'of-account';
  /** The topics that Ponte reads. */
  topics(settings: Settings): readonly string[];
  /** Topics that a hook of this source must not have. Absent: none. */
  unwantedTopics?(settings: Settings): readonly string[];
  /** The setting without which nothing can be registered, and why; undefined: all is there. Absent: none is needed. */
  unready?(settings: Settings): SettingProblem | undefined;
  /**
   * The next page of the list, given those before; undefined: that was all. It ends by itself.
   * @throws UnreadablePayload
   */
  list(access: FetchAccess, answers: readonly FetchedAnswer[]): FetchRequest | undefined;
  /** Everything that is listed, those of others too. @throws UnreadablePayload */
  read(answers: readonly FetchedAnswer[]): RegisteredHook[];
  create(access: FetchAccess, wanted: WantedHook): ChangeRequest;
  /** Enables the hook and gives it what is wanted. */
  repair(access: FetchAccess, hook: RegisteredHook, wanted: WantedHook): ChangeRequest;
  /** The same creation sent twice makes one hook and is answered twice alike. */
  readonly createsOnce?: true;
  /** The secret in the answer to a creation; undefined: it has none. Needed where {@link secret} is `answered`. */
  readSecret?(answer: Buffer): string | undefined;
}
