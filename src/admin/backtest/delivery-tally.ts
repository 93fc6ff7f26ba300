import type { PeriodDelivery } from '../../deliveries/delivery-period.repository';

/** Deliveries that are named of each kind; all are counted. */
const MOST_NAMED = 100;

/** A delivery that was not compared. */
export interface NamedDelivery {
  id: string;
  businessKey: string | null;
  receivedAt: Date;
  /** Why it needs a person, or is tried again. */
  reason: string | null;
}

/** Counts the deliveries of a period, and names those that could not be compared, the oldest of each kind first. */
export class DeliveryTally {
  read = 0;
  compared = 0;
  discarded = 0;
  readonly waiting = new Apart();
  readonly dead = new Apart();
  readonly bodiesGone = new Apart();

  /** @param hasBody false: nothing can be read of it any more */
  count(delivery: PeriodDelivery, hasBody: boolean): void {
    this.read += 1;
    if (!hasBody) this.bodiesGone.add(delivery);
    else if (delivery.state === 'waiting') this.waiting.add(delivery);
    else if (delivery.state === 'dead') this.dead.add(delivery);
    else if (delivery.state === 'discarded') this.discarded += 1;
    else this.compared += 1;
  }
}

/** Deliveries that are told apart from those that were compared. */
class Apart {
  count = 0;
  readonly named: NamedDelivery[] = [];

  add({ id, businessKey, receivedAt, reason }: PeriodDelivery): void {
    this.count += 1;
    if (this.named.length < MOST_NAMED) this.named.push({ id, businessKey, receivedAt, reason });
  }
}
