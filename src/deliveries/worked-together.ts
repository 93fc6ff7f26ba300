import type { ChosenDelivery } from './delivery-queue.repository';

/**
 * Which of the claimed deliveries are worked on in one transaction. One that work did not end on before is worked on by
 * itself, so that what it does to a process is done to no other and is known to be its doing. Nothing passes what stands
 * before it in its lane.
 * @param claimed in the order of their arrival
 * @param aloneFirst whether one that goes alone goes before those that can go together
 */
export function workedTogether<Delivery extends ChosenDelivery>(
  claimed: readonly Delivery[],
  aloneFirst: boolean,
): Delivery[] {
  const closed = new Set<string>();
  const together: Delivery[] = [];
  const alone: Delivery[] = [];
  for (const delivery of claimed) {
    if (closed.has(delivery.lane)) continue;
    if (delivery.interrupted === 0) together.push(delivery);
    else {
      closed.add(delivery.lane);
      if (!together.some(({ lane }) => lane === delivery.lane)) alone.push(delivery);
    }
  }
  const [mostHopeful] = alone.toSorted((left, right) => left.interrupted - right.interrupted);
  return mostHopeful && (aloneFirst || together.length === 0) ? [mostHopeful] : together;
}
