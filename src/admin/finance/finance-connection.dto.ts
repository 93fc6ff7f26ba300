import { ApiProperty, OmitType } from '@nestjs/swagger';
import { LONGEST_CACHE_MS } from '../../finance/remote/connections/connection-settings';
import {
  IsInteger32,
  IsFlag,
  IsNested,
  IsOneOf,
  IsText,
  MayBeLeftOut,
  Optional,
} from '../../http/validation';

const DAY_MS = 86_400_000;
const URL_FORM = {
  form: /^https?:\/\/[^\s?#@]+$/i,
  message: 'must be an https address without user or query',
};
const PATH_FORM = {
  form: /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~-]+)+$/,
  message: 'must be a path such as /customers',
};

export class ConnectionLimitsBody {
  /** Calls a second, over all replicas; absent: 10. */
  @MayBeLeftOut()
  @IsInteger32({ min: 1, max: 10_000 })
  perSecond?: number;

  /** Calls at once, of each replica; absent: 4. */
  @MayBeLeftOut()
  @IsInteger32({ min: 1, max: 64 })
  atOnce?: number;

  /** Absent: false. */
  @MayBeLeftOut()
  @IsFlag()
  oneWriteAtATime?: boolean;
}

/** In milliseconds. */
export class ConnectionTimeoutsBody {
  /** Absent: 3,000. */
  @MayBeLeftOut()
  @IsInteger32({ min: 1, max: 60_000 })
  connectMs?: number;

  /** Until the first byte of the reply; absent: 15,000. */
  @MayBeLeftOut()
  @IsInteger32({ min: 1, max: 120_000 })
  headersMs?: number;

  /** The whole call; absent: 20,000. */
  @MayBeLeftOut()
  @IsInteger32({ min: 1, max: 120_000 })
  totalMs?: number;
}

/**
 * The whole of a connection: what is left out is as it is unless set. Only `apiKey`, left out, stays as it is, as long
 * as the address does.
 */
export class FinanceConnectionBody {
  /** The service's root with its version; absent: `FINANCE_BASE_URL`. */
  @MayBeLeftOut()
  @IsText({ pattern: URL_FORM })
  baseUrl?: string;

  /** Sent as the query parameter `Organization`; absent: it is not sent. */
  @MayBeLeftOut()
  @IsText({ max: 200 })
  organization?: string;

  /** Needed the first time and whenever the address is another one; never shown again. */
  @MayBeLeftOut()
  @IsText()
  apiKey?: string;

  /** Where the key goes: the query parameter `apitoken`, the header `ApiToken`, or `bearer`; absent: `ApiToken`. */
  @MayBeLeftOut()
  @IsOneOf(['apitoken', 'ApiToken', 'bearer'])
  credential?: 'apitoken' | 'ApiToken' | 'bearer';

  /** Absent: json. */
  @MayBeLeftOut()
  @IsOneOf(['json', 'xml'])
  form?: 'json' | 'xml';

  @MayBeLeftOut()
  @IsNested(() => ConnectionLimitsBody)
  limits?: ConnectionLimitsBody;

  /** Milliseconds for which what was read may be given to others who ask the same of `/v1`; absent: 0, not at all. */
  @MayBeLeftOut()
  @IsInteger32({ min: 0, max: LONGEST_CACHE_MS })
  cacheMs?: number;

  @MayBeLeftOut()
  @IsNested(() => ConnectionTimeoutsBody)
  timeouts?: ConnectionTimeoutsBody;

  /** Milliseconds after a call's end in which the service may still take effect of it, 1,000 or more; absent: 30,000. */
  @MayBeLeftOut()
  @IsInteger32({ min: 1_000, max: DAY_MS })
  settleMs?: number;

  /** Whether the service refuses a second customer with the same document and names the first; absent: false. */
  @MayBeLeftOut()
  @IsFlag()
  uniqueDocuments?: boolean;

  /** Path of a listing of customers with `$filter`, where the service has one. */
  @MayBeLeftOut()
  @IsText({ max: 200, pattern: PATH_FORM })
  customerListing?: string;

  /**
   * What becomes of a customer of an order where it is unknown whether the service created it and nothing can be read of
   * it: `park` leaves it to a person, `repeat` creates it again after `settleMs`. Absent: `park`.
   */
  @MayBeLeftOut()
  @IsOneOf(['park', 'repeat'])
  unknownCustomers?: 'park' | 'repeat';

  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;
}

/** A connection as operators see it: what was set, and where that leads. */
export class FinanceConnectionView extends OmitType(FinanceConnectionBody, ['baseUrl', 'apiKey', 'reason']) {
  @ApiProperty({ description: "The service's root with its version; empty where none is set" })
  baseUrl!: string;
}

/** What came of trying a connection. */
export class ConnectionTest {
  @ApiProperty({ description: 'Whether the service took the key and listed its accounts' })
  ok!: boolean;

  @ApiProperty({ description: 'What came of it, in a few words' })
  detail!: string;

  @ApiProperty({ description: 'How long it took' })
  milliseconds!: number;
}
