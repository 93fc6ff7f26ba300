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
