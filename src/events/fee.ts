import type { Money } from '../kernel/money';

/** What a gateway keeps, or gives back of what it kept, of money whose sale somebody else tells: the shop that it was paid in. */
export interface FeeFacts {
  /** Business key: `{source slug}/fee/{id}`. */
  key: string;
  /** The source's slug. */
  source: string;
  id: string;
  /** The gateway's name as its payouts and disputes have it. */
  gateway: string;
  /** Positive, whichever way it goes. */
  value: Money;
  /** The gateway gave it back. Absent: it kept it. */
  returned?: boolean;
  /** What it is for, in a few words without personal data; absent: the gateway does not say. */
  description?: string;
  /** When the gateway kept it, or gave it back. */
  chargedAt: Date;
  /** Of a gateway's test mode: visible, posts nothing unless the source says so. */
  test: boolean;
}
