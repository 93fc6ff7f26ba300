import { OmitType } from '@nestjs/swagger';
import { LONGEST_CACHE_MS } from '../../finance/remote/connections/connection-settings';
import { ObjectOf, reply, request } from '../fields';

const DAY_MS = 86_400_000;
const URL_FORM = {
  form: /^https?:\/\/[^\s?#@]+$/i,
  message: 'must be an https address without user or query',
};
const PATH_FORM = {
  form: /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~-]+)+$/,
  message: 'must be a path such as /customers',
};

export class ConnectionLimitsBody extends ObjectOf({
  /** Calls a second, over all replicas; absent: 10. */
  perSecond: request.integer({ min: 1, max: 10_000 }).optional(),
  /** Calls at once, of each replica; absent: 4. */
  atOnce: request.integer({ min: 1, max: 64 }).optional(),
  /** Absent: false. */
  oneWriteAtATime: request.flag().optional(),
}) {}

/** In milliseconds. */
export class ConnectionTimeoutsBody extends ObjectOf({
  /** Absent: 3,000. */
  connectMs: request.integer({ min: 1, max: 60_000 }).optional(),
  /** Until the first byte of the reply; absent: 15,000. */
  headersMs: request.integer({ min: 1, max: 120_000 }).optional(),
  /** The whole call; absent: 20,000. */
  totalMs: request.integer({ min: 1, max: 120_000 }).optional(),
}) {}

/**
 * The whole of a connection: what is left out is as it is unless set. Only `apiKey`, left out, stays as it is, as long
 * as the address does.
 */
export class FinanceConnectionBody extends ObjectOf({
  /** The service's root with its version; absent: `FINANCE_BASE_URL`. */
  baseUrl: request.text({ pattern: URL_FORM }).optional(),
  /** Sent as the query parameter `Organization`; absent: it is not sent. */
  organization: request.text({ max: 200 }).optional(),
  /** Needed the first time and whenever the address is another one; never shown again. */
  apiKey: request.text().optional(),
  /** Where the key goes: the query parameter `apitoken`, the header `ApiToken`, or `bearer`; absent: `ApiToken`. */
  credential: request.oneOf(['apitoken', 'ApiToken', 'bearer']).optional(),
  /** Absent: json. */
  form: request.oneOf(['json', 'xml']).optional(),
  limits: request.object(ConnectionLimitsBody).optional(),
  /** Milliseconds for which what was read may be given to others who ask the same of `/v1`; absent: 0, not at all. */
  cacheMs: request.integer({ min: 0, max: LONGEST_CACHE_MS }).optional(),
  timeouts: request.object(ConnectionTimeoutsBody).optional(),
  /** Milliseconds after a call's end in which the service may still take effect of it, 1,000 or more; absent: 30,000. */
  settleMs: request.integer({ min: 1_000, max: DAY_MS }).optional(),
  /** Whether the service refuses a second customer with the same document and names the first; absent: false. */
  uniqueDocuments: request.flag().optional(),
  /** Path of a listing of customers with `$filter`, where the service has one. */
  customerListing: request.text({ max: 200, pattern: PATH_FORM }).optional(),
  /**
   * What becomes of a customer of an order where it is unknown whether the service created it and nothing can be read of
   * it: `park` leaves it to a person, `repeat` creates it again after `settleMs`. Absent: `park`.
   */
  unknownCustomers: request.oneOf(['park', 'repeat']).optional(),
  reason: request.reason(),
}) {}

/** A connection as operators see it: what was set, and where that leads. */
export class FinanceConnectionView extends ObjectOf(
  { baseUrl: reply.text("The service's root with its version; empty where none is set") },
  OmitType(FinanceConnectionBody, ['baseUrl', 'apiKey', 'reason']),
) {}

/** What came of trying a connection. */
export class ConnectionTest extends ObjectOf({
  ok: reply.flag('Whether the service took the key and listed its accounts'),
  detail: reply.text('What came of it, in a few words'),
  milliseconds: reply.number('How long it took'),
}) {}

/** Whether calls are looked for in the finance service before they are sent. */
export class FinanceRecoveryView extends ObjectOf({
  recoveredAt: reply
    .instant("When Ponte's database was put back to an earlier state; null: calls are sent without a search")
    .nullable(),
}) {}
