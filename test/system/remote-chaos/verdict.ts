import type { Asked, Effect, Report } from '../../faulty-finance/judge';
import type { LoadOrder, LoadWebhook } from '../load';
import { STRICT } from './companies';
import type { OrderRun, ParkedCall, PonteRecords, StoredDelivery } from './ponte-records';

/** An order and whose it is. */
export interface CompanyOrder extends LoadOrder {
  organization: string;
}

/** What the judge wrote down. */
export interface Testimony {
  report: Report;
  effects: readonly Effect[];
  requests: readonly Asked[];
}

/** What is wrong after a run; every list is empty when nothing is. */
export interface Verdict {
  /** Acknowledged webhooks that are not stored, and orders of which Ponte says that they are done and are not. */
  lost: string[];
  /** What took effect more than once. */
  duplicated: string[];
  /** Schedules on which more was received than they are for. */
  wrong: string[];
  /** What was sent again although it was in effect and nothing but luck kept it from a second effect. */
  sentAgain: string[];
  /** Parked although Ponte could know, or an order that is neither done nor waiting for a person. */
  untrue: string[];
  /** Deliveries that are still to be worked on. */
  unsettled: number;
}

/** What a verdict must say. */
export const CLEAN: Verdict = {
  lost: [],
  duplicated: [],
  wrong: [],
  sentAgain: [],
  untrue: [],
  unsettled: 0,
};

/** Holds what Ponte says of the orders against what the judge saw. */
export function verdictOn(
  { deliveries, runs, parkedCalls }: PonteRecords,
  orders: readonly CompanyOrder[],
  webhooks: readonly LoadWebhook[],
  testimony: Testimony,
): { verdict: Verdict; parked: number } {
  const keys = deliveries.map(({ dedupeKey }) => dedupeKey).join('\n');
  const found = orders.map((order) => findingOn(order, runs, deliveries, testimony));
  const { duplicates, repeats } = testimony.report;
  return {
    verdict: {
      lost: [
        ...webhooks.filter(({ id }) => !keys.includes(id)).map(({ id }) => `webhook ${id}`),
        ...found.flatMap(({ lost }) => lost),
      ],
      duplicated: Object.keys(duplicates),
      wrong: orders.flatMap((order) => overpaid(order, testimony.effects)),
      // A service with unique documents is meant to be asked again: it names the customer there is.
      sentAgain: Object.keys(repeats).filter((name) => !name.startsWith(`${STRICT.organization}: customer`)),
      untrue: [
        ...found.flatMap(({ untrue }) => untrue),
        ...parkedCalls.flatMap((call) => untruthOf(call, testimony)),
      ],
      unsettled: deliveries.filter(({ state }) => state === 'waiting').length,
    },
    parked: found.filter(({ isParked }) => isParked).length,
  };
}

interface Finding {
  lost: string[];
  untrue: string[];
  isParked: boolean;
}

function findingOn(
  order: CompanyOrder,
  runs: readonly OrderRun[],
  deliveries: readonly StoredDelivery[],
  testimony: Testimony,
): Finding {
  const own = runs.filter(
    ({ businessKey, organization }) =>
      organization === order.organization && businessKey === `shopify/order/${order.id}`,
  );
  const isDone = own.some(({ state }) => state === 'done');
  const isParked = !isDone && own.some(({ parkedEffects }) => parkedEffects.length > 0);
  const faults = faultsOf(order, testimony.effects);
  const reasons = deliveries
    .filter(({ lane, state }) => lane.endsWith(`/order/${order.id}`) && state === 'dead')
    .map(({ reason }) => reason);
  return {
    lost: isParked ? [] : faults,
    untrue:
      isDone || isParked
        ? []
        : [`${order.organization} ${order.id} is neither done nor parked: ${reasons.join('; ')}`],
    isParked,
  };
}

/** What of an order is not in effect as it should be. */
function faultsOf(order: CompanyOrder, effects: readonly Effect[]): string[] {
  const name = `${order.organization}: schedule shopify/order/${order.id} `;
  const schedules = effects.filter(({ identity }) => identity.startsWith(name));
  const prefixes = schedules.map(({ id }) => `${order.organization}: receipt ${id} `);
  const receipts = effects.filter(({ identity }) => prefixes.some((prefix) => identity.startsWith(prefix)));
  const [due, received] = [sumOf(schedules), sumOf(receipts)];
  const right =
    effects.some(({ identity }) => identity === `${order.organization}: customer ${order.document}`) &&
    schedules.length === order.instalments &&
    due === order.totalMinor &&
    received === order.totalMinor;
  return right
    ? []
    : [`${name}${order.total}: ${schedules.length} schedules of ${due}, ${received} received`];
}

/** Also of an order that is parked: whatever nobody can know, this much is known to be wrong. */
function overpaid(order: CompanyOrder, effects: readonly Effect[]): string[] {
  const name = `${order.organization}: schedule shopify/order/${order.id} `;
  const schedules = effects.filter(({ identity }) => identity.startsWith(name));
  return schedules.flatMap(({ id, minor }) => {
    const prefix = `${order.organization}: receipt ${id} `;
    const received = sumOf(effects.filter(({ identity }) => identity.startsWith(prefix)));
    return received > BigInt(minor) ? [`${name}${id}: ${received} received on ${minor}`] : [];
  });
}

function sumOf(effects: readonly Effect[]): bigint {
  return effects.reduce((sum, { minor }) => sum + BigInt(minor), 0n);
}

/**
 * A call may be parked when nothing in the interface tells whether it took effect: a customer, where the service
 * does not refuse a second one; and when Ponte could not see what became of it.
 */
function untruthOf(call: ParkedCall, { requests, report }: Testimony): string[] {
  const document = call.request.body?.document?.number ?? '';
  const identity = `${call.organization}: customer ${document}`;
  const wasKilled = call.outcomes.includes(null);
  // A busy machine can make any answer come too late.
  const wasLate = call.outcomes.some((outcome) => outcome?.includes('no answer in time'));
  const couldNotSee = requests.some((asked) => !asked.telling && asked.identities.includes(identity));
  if (call.operation !== 'customers.create' || call.organization === STRICT.organization) {
    return [`${call.organization}: ${call.operation} is parked although it can be found`];
  }
  // These faults cut the connections of other requests, also before they were read.
  const cutting = (['down', 'refuse-others', 'reset-others'] as const).some((kind) => report.faults[kind]);
  const wasCut = cutting && call.outcomes.some((outcome) => outcome?.includes('the connection broke'));
  return wasKilled || wasLate || wasCut || couldNotSee
    ? []
    : [`${identity} is parked although nothing was hidden`];
}
