/** How a live finance service is reached for one organization. Made of the operators' settings; never logged. */
export interface FinanceConnection {
  /** Ponte's organization. */
  readonly organizationId: string;
  /** Service root with its path prefix and version, without a slash at the end: `https://books.example/api/v1`. */
  readonly baseUrl: string;
  /** Whether the address was set in the environment: then it may lead into a private network. */
  readonly trustedAddress: boolean;
  /** What is sent as the query parameter `Organization`; absent: it is not sent. */
  readonly organization?: string;
  readonly apiKey: string;
  /** Where the key goes; account creation (operation 10) always takes it as the query parameter `apitoken`. */
  readonly credential: 'apitoken' | 'ApiToken' | 'bearer';
  /** The form of bodies, both ways. */
  readonly form: 'json' | 'xml';
  readonly limits: ConnectionLimits;
  /** Milliseconds for which what was read may be given to others who ask the same of `/v1`; 0: not at all. */
  readonly cacheMs: number;
  readonly timeouts: ConnectionTimeouts;
  /** Milliseconds after the end of a call in which the service may still take effect of it. */
  readonly settleMs: number;
  /** Whether the service refuses a second customer with the same document with 409; see docs/remote-finance.md. */
  readonly uniqueDocuments: boolean;
  /** Path of a listing of customers with `$filter`, below the base URL, where the service has one. */
  readonly customerListing?: string;
  /**
   * What becomes of a customer whose creation has an unknown outcome that nothing can be read of: `park` leaves it to a
   * person, `repeat` creates it again, at the price of a second customer without money.
   */
  readonly unknownCustomers: 'park' | 'repeat';
  /**
   * When Ponte's database was put back to an earlier state. The service may have what was asked of it between that state
   * and then, so that every call is looked for there before it is sent. Absent: nothing is looked for.
   */
  readonly recoveredAt?: Date;
}

export interface ConnectionLimits {
  /** Calls a second, over all replicas. */
  readonly perSecond: number;
  /** Calls at once, of one replica. */
  readonly atOnce: number;
  readonly oneWriteAtATime: boolean;
}

/** In milliseconds. */
export interface ConnectionTimeouts {
  readonly connectMs: number;
  /** Until the first byte of the reply. */
  readonly headersMs: number;
  /** The whole call. */
  readonly totalMs: number;
}

/** What holds unless an operator says otherwise. */
export const CONNECTION_DEFAULTS = {
  credential: 'ApiToken',
  form: 'json',
  limits: { perSecond: 10, atOnce: 4, oneWriteAtATime: false },
  cacheMs: 0,
  timeouts: { connectMs: 3_000, headersMs: 15_000, totalMs: 20_000 },
  settleMs: 30_000,
  uniqueDocuments: false,
  unknownCustomers: 'park',
} as const satisfies Partial<FinanceConnection>;
