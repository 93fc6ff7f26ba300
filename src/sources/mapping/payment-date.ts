import type { PaymentFacts } from '../../events/event';

/** When a payment was made, and by what evidence where the payload does not say it. */
export type PaymentDate = Pick<PaymentFacts, 'paidAt' | 'datedBy'>;
