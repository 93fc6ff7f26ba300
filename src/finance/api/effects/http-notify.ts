import type { EffectDeclaration } from './declaration';

export interface NotificationInput {
  /** Name of one of the organization's notification endpoints. */
  endpoint: string;
  /** What it is about, for the receiver: `order.booked`. */
  type: string;
  /** JSON: texts, amounts as decimal text, days as `YYYY-MM-DD`. A rule gives texts alone. */
  data: object;
}

/**
 * A signed message to an address that an operator listed. What was sent is not taken back, and differences of a later
 * event are no matter for a person: the receiver gets the first of them.
 */
export const httpNotify: EffectDeclaration<NotificationInput> = {
  personal: ['data'] satisfies (keyof NotificationInput)[],
};
