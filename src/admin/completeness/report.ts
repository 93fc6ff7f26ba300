import { createHash } from 'node:crypto';
import type { DeliveryOrigin } from '../../deliveries/reserved-attributes';
import { COMPARED_KINDS, type MoneyFacts } from '../../events/money-facts';
import type { EntityDelivery, UnattachedDelivery } from './completeness.repository';
import {
  type Apart,
  type Aspect,
  ASPECTS,
  type AspectTotals,
  type ComparedEntity,
  type Difference,
  type DifferenceCode,
  type Tally,
  emptyTotals,
} from './differences';

/** Deliveries that one repair puts back, and a report remembers. */
const MOST_REPAIRED = 10_000;
/** Entities that are named of those that no webhook brought. */
const MOST_NAMED = 100;

/** An entity with its differences. */
export interface DifferingEntity {
  readonly facts: MoneyFacts;
  readonly compared: ComparedEntity;
}

/** What has to be worked on again. */
export interface RepairStep {
  readonly deliveryId: string;
  readonly code: DifferenceCode;
  /** Business key of the entity; null: it is not known. */
  readonly businessKey: string | null;
  /** Business key of the effect; null: all of the delivery. */
  readonly effect: string | null;
}

/** Adds up what the entities of a period came to, and keeps the differences that are asked for. */
export class Report {
  readonly counts = { order: 0, payout: 0, dispute: 0, bill: 0, test: 0, otherCurrency: 0, differing: 0 };
  /** How the entities first came to be known. */
  readonly origins: Record<DeliveryOrigin, number> = { webhook: 0, import: 0, comparison: 0 };
  /** The first of those that no webhook brought, and a comparison with the shop's list found. */
  readonly missedByWebhooks: { key: string; madeAt: Date }[] = [];
  readonly totals = new Map<Aspect, AspectTotals>();
  readonly apart = new Map<Apart, Tally>();
  readonly byCode = new Map<DifferenceCode, number>();
  readonly items: DifferingEntity[] = [];
  /** Deliveries about nothing that is known, each with what is said of it. */
  unattached: readonly (readonly [UnattachedDelivery, Difference])[] = [];
  /** Whether more entities differ than {@link items} has. */
  hasMore = false;
  readonly steps: RepairStep[] = [];
  /** Whether more is to be repaired than one repair takes. */
  hasMoreSteps = false;

  /** @param mostListed of {@link items}; what is taken beyond them is counted all the same */
  constructor(private readonly mostListed: number) {}

  /** How many entities were compared. */
  get compared(): number {
    return COMPARED_KINDS.reduce((sum, kind) => sum + this.counts[kind], 0);
  }

  /** How many differences there are. */
  get differences(): number {
    return [...this.byCode.values()].reduce((sum, count) => sum + count, 0);
  }

  /** How many deliveries a repair puts back to work. */
  get repairable(): number {
    return new Set(this.steps.map(({ deliveryId }) => deliveryId)).size;
  }

  /** @param deliveries the oldest first */
  take(facts: MoneyFacts, compared: ComparedEntity, deliveries: readonly EntityDelivery[]): void {
    this.counts[facts.kind] += 1;
    if (facts.test) this.counts.test += 1;
    this.countOrigin(facts, deliveries);
    for (const [aspect, totals] of compared.totals) this.addTotals(aspect, totals);
    for (const { why, value } of compared.apart) addTo(this.apart, why, value);
    if (compared.differences.length === 0) return;
    this.counts.differing += 1;
    for (const difference of compared.differences) this.count(difference, facts.key);
    if (this.items.length < this.mostListed) this.items.push({ facts, compared });
    else this.hasMore = true;
  }

  takeUnattached(unattached: Report['unattached']): void {
    this.unattached = unattached;
    for (const [{ businessKey }, difference] of unattached) this.count(difference, businessKey);
  }

  /** Names what a repair does: the same steps, the same text. @param codes only differences of these; absent: all */
  digest(more: string, codes?: readonly DifferenceCode[]): string {
    const lines = this.stepsOf(codes).map(
      ({ deliveryId, code, effect }) => `${deliveryId} ${code} ${effect}`,
    );
    return createHash('sha256')
      .update(`${more}\n${lines.sort().join('\n')}`)
      .digest('hex')
      .slice(0, 32);
  }

  stepsOf(codes?: readonly DifferenceCode[]): RepairStep[] {
    return codes ? this.steps.filter(({ code }) => codes.includes(code)) : [...this.steps];
  }

  private count({ code, repairable, deliveryId, effect }: Difference, businessKey: string | null): void {
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1);
    if (!repairable || deliveryId === null) return;
    if (this.steps.length < MOST_REPAIRED) this.steps.push({ deliveryId, code, businessKey, effect });
    else this.hasMoreSteps = true;
  }

  private countOrigin({ key, madeAt }: MoneyFacts, [first]: readonly EntityDelivery[]): void {
    if (!first) return;
    this.origins[first.origin] += 1;
    if (first.origin === 'comparison' && this.missedByWebhooks.length < MOST_NAMED)
      this.missedByWebhooks.push({ key, madeAt });
  }

  private addTotals(aspect: Aspect, own: AspectTotals): void {
    const all = this.totals.get(aspect) ?? emptyTotals();
    this.totals.set(aspect, all);
    for (const name of TOTALLED) {
      all[name].count += own[name].count;
      all[name].minor += own[name].minor;
    }
  }
}

const TOTALLED = ['shop', 'booked', 'inBooks', 'later'] as const;

/** The totals of every aspect, in order. */
export function totalsOf(report: Report): (AspectTotals & { aspect: Aspect })[] {
  return ASPECTS.map((aspect) => ({ aspect, ...(report.totals.get(aspect) ?? emptyTotals()) }));
}

function addTo(tallies: Map<Apart, Tally>, why: Apart, minor: bigint): void {
  const tally = tallies.get(why) ?? { count: 0, minor: 0n };
  tallies.set(why, { count: tally.count + 1, minor: tally.minor + minor });
}
