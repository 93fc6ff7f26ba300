import type { Attention } from '../../finance/api/effects/attention';

/** An effect that is stored, to be applied after its delivery by the worker of deferred effects. */
export interface PutOff {
  state: 'deferred';
  /** `YYYY-MM-DD`: its day in the organization's zone; absent: as soon as its delivery is done. */
  day?: string;
  /** What is now asked for otherwise than it was stored. */
  attention: Attention[];
}
