import type { PlannedEffect } from '../../finance/api/effects/effect';
import type { RecordedEffect } from '../../finance/api/effects/effect-records.port';
import { foundBy } from '../../finance/api/effects/registry';
import { isAboutRefund } from '../../sources/mapping/keys';
import { minorOf } from '../../rules/plan';
import { isPostedOtherwise } from '../../workflows/deferred/deferral';
import type { StepRecord } from '../../workflows/step-record';
import type { ComparedKind } from '../../events/money-facts';
import {
  type Aspect,
  ASPECTS,
  type AspectTotals,
  type ComparedEntity,
  type Difference,
  type SetApart,
  emptyTotals,
  type Tally,
} from './differences';
import { type EffectsKnown, keysOf, type KnownDelivery, type KnownEntity, usualKeys } from './known-entity';

/** A planned effect, and where it was planned. */
interface Planned {
  readonly effect: PlannedEffect;
  /** All effects of its step. */
  readonly besides: readonly PlannedEffect[];
  readonly rule: string;
  readonly delivery: KnownDelivery | undefined;
  readonly step: Pick<StepRecord, 'id' | 'state' | 'reason'> | undefined;
}

/** Compares what a shop says of an order, payout, dispute or bill with what was planned, done and stands in the books. */
export function checkEntity(entity: KnownEntity, known: EffectsKnown): ComparedEntity {
  return new EntityCheck(entity, known).result();
}

/** As what the sum of each stands in the books. */
const WHOLE = {
  order: 'schedule',
  payout: 'payout',
  dispute: 'chargeback',
  bill: 'bill',
} as const satisfies Record<ComparedKind, Aspect>;

/** Why the books have something else than was booked. */
const CAUSES = {
  'removed-in-books':
    'Ponte booked it, and it was deleted or taken back in the books since. Where that was wrong, enter it by hand: its key stays applied, so that Ponte does not book it again',
  'left-over':
    'more was paid than was open, and what was left over was put before a person: see the attention items of the order',
  'changed-in-books':
    'it was changed in the books after Ponte booked it. Ponte never changes a value back: correct it there, where it is wrong',
} as const;

class EntityCheck {
  private readonly totals = new Map<Aspect, AspectTotals>();
  private readonly differences: Difference[] = [];
  private readonly apart: SetApart[] = [];
  private readonly planned = new Map<string, Planned>();
  /** Planned or under way and not applied, in minor units: it explains that the books have less. */
  private readonly outstanding = new Map<Aspect, bigint>();
  private readonly open: readonly KnownDelivery[];
  private readonly usual: ReadonlySet<string>;

  constructor(
    private readonly entity: KnownEntity,
    private readonly known: EffectsKnown,
  ) {
    this.usual = new Set(usualKeys(entity.facts));
    this.open = entity.deliveries.filter(({ state }) => state === 'waiting' || state === 'dead');
  }

  result(): ComparedEntity {
    this.collectPlanned();
    this.countShop();
    for (const key of keysOf(this.entity)) this.checkEffect(key);
    this.checkAmounts();
    this.noteOpenDeliveries();
    return { totals: this.totals, differences: this.differences, apart: this.apart };
  }

  /** Each key as the first delivery plans it that was not given up, for that one is worked on again where it is missing. */
  private collectPlanned(): void {
    const byDelivery = new Map(this.entity.deliveries.map((delivery) => [delivery.id, delivery]));
    for (const { plan, steps, deliveryId } of this.entity.runs)
      for (const { id, effects } of plan.steps)
        for (const effect of effects) {
          if (foundBy(effect.operation) !== undefined) continue;
          const delivery = byDelivery.get(deliveryId);
          const before = this.planned.get(effect.key);
          if (before && rank(before.delivery) <= rank(delivery)) continue;
          const step = steps.find((one) => one.id === id);
          this.planned.set(effect.key, { effect, besides: effects, rule: plan.rule, delivery, step });
        }
  }

  private countShop(): void {
    const { kind, total, payments, refunds, fees, test } = this.entity.facts;
    // A test order is nobody's money.
    if (test) return;
    const add = (aspect: Aspect, values: readonly string[]): void => {
      for (const value of values) addTo(this.of(aspect).shop, BigInt(value));
    };
    add(WHOLE[kind], BigInt(total) === 0n ? [] : [total]);
    add('receipt', Object.values(payments));
    add(kind === 'dispute' ? 'chargeback-won' : 'refund', Object.values(refunds));
    add('fee', Object.values(fees));
  }

  private checkEffect(key: string): void {
    const record = this.known.records.get(key);
    const planned = this.planned.get(key);
    const operation = record?.state === 'applied' ? record.operation : planned?.effect.operation;
    if (operation === undefined) return;
    const aspect = this.aspectOf(operation, key);
    if (aspect === undefined) return;
    if (record?.state === 'applied') this.countApplied(key, aspect, record, planned);
    else if (planned) this.checkOutstanding(key, aspect, planned);
  }

  private countApplied(
    key: string,
    aspect: Aspect,
    { amountMinor }: RecordedEffect,
    planned: Planned | undefined,
  ): void {
    const minor = amountMinor ?? this.amountOf(planned) ?? 0n;
    const totals = this.of(aspect);
    addTo(totals.booked, minor);
    const books = this.known.books.get(key);
    addTo(totals.inBooks, books ? books.minor : minor, books && books.gone > 0 ? 0 : 1);
    if (!books || books.minor === minor) return;
    const about = { aspect, expected: minor, found: books.minor, effect: key } as const;
    const deliveryId = planned?.delivery?.id ?? null;
    const note = (code: keyof typeof CAUSES): void => {
      this.differences.push({ ...{ code, ...about, deliveryId, repairable: false }, cause: CAUSES[code] });
    };
    if (books.gone > 0) note('removed-in-books');
    else if (aspect === 'receipt' && books.minor < minor) note('left-over');
    else note('changed-in-books');
  }

  private checkOutstanding(key: string, aspect: Aspect, planned: Planned): void {
    const minor = this.amountOf(planned);
    const value = minor ?? 0n;
    const { delivery, step } = planned;
    const { currency } = this.entity.facts;
    if (isPostedOtherwise(planned.effect, planned.besides, { ...this.known, currency })) return;
    const deferred = this.known.deferred.get(key)?.state;
    const state = this.known.records.get(key)?.state;
    const held = deferred === undefined ? this.known.heldBack.get(key) : undefined;
    if (deferred === 'waiting') {
      addTo(this.of(aspect).later, value);
      return this.explain(aspect, value);
    }
    if (deferred === 'cancelled' || state === 'abandoned') return this.setApart('given-up', aspect, value);
    if (held === 'declined') return this.setApart('declined', aspect, value);
    const about = {
      aspect,
      ...(minor !== undefined && { expected: minor, found: 0n }),
      effect: key,
    } as const;
    if (held === 'waiting') {
      this.explain(aspect, value);
      this.differences.push({
        ...{ code: 'approval-pending', ...about, deliveryId: delivery?.id ?? null, repairable: false },
        cause: `rule ${planned.rule} asks for an approval, which no operator has given or declined yet`,
      });
      return;
    }
    // Another delivery, or the same, is still to be worked on: the difference is that one.
    if (delivery && (delivery.state === 'waiting' || delivery.state === 'dead'))
      return this.explain(aspect, value);
    if (state === 'unknown' || state === 'intended') {
      this.explain(aspect, value);
      this.differences.push({
        ...{ code: 'outcome-unknown', ...about, deliveryId: delivery?.id ?? null, repairable: false },
        cause:
          'a call to the finance service may or may not have taken effect; it is read back, or a person decides',
      });
      return;
    }
    if (delivery?.state === 'discarded') return this.setApart('discarded', aspect, value);
    if (step?.state === 'skipped') return this.setApart('not-booked', aspect, value);
    this.explain(aspect, value);
    const why = step?.reason ?? (state === 'refused' ? 'it was refused' : 'it was never carried out');
    this.differences.push({
      ...{ code: 'missing', ...about, deliveryId: delivery?.id ?? null },
      repairable: delivery?.hasBody ?? false,
      cause: `rule ${planned.rule} planned it, and it is not in the books: ${why}${delivery?.hasBody === false ? '. The body of its delivery is gone, so that Ponte cannot work on it again: import the order' : ''}`,
    });
  }

  /** What is left when all that is planned is accounted for. */
  private checkAmounts(): void {
    const { test, fees } = this.entity.facts;
    for (const aspect of ASPECTS) {
      const totals = this.totals.get(aspect);
      if (!totals || aspect === 'other') continue;
      // An acquirer's messages may tell of fees that the shop's do not.
      if (aspect === 'fee' && !test && Object.keys(fees).length === 0) continue;
      const { shop, booked } = totals;
      const outstanding = this.outstanding.get(aspect) ?? 0n;
      const left = shop.minor - booked.minor - outstanding;
      if (left === 0n) continue;
      const about = {
        aspect,
        expected: shop.minor,
        found: booked.minor,
        deliveryId: null,
        repairable: false,
      };
      const extra = left < 0n ? this.extraKeys(aspect) : [];
      if (left > 0n && booked.minor === 0n) {
        // What is still to be worked on will book it, or not: nobody can say yet.
        if (this.open.length === 0) this.setApart('not-booked', aspect, left, false);
      } else if (extra.length > 0 || (left < 0n && shop.minor === 0n))
        this.differences.push({
          ...{ code: 'extra', ...about, effect: extra[0] ?? null },
          cause: test
            ? 'the shop calls it a test, and it is in the books'
            : 'the books have more than the shop says: it was booked under more than one key, or the shop has taken back what it said. Take it back in the finance system, where that is so',
        });
      else if (left < 0n || this.open.length === 0)
        this.differences.push({
          ...{ code: 'amount-differs', ...about, effect: null },
          cause:
            'the shop says another amount now than was booked. Ponte does not change what was booked: enter the difference by hand, where the shop is right',
        });
    }
  }

  /** Applied under keys of which the shop does not tell. */
  private extraKeys(aspect: Aspect): string[] {
    return keysOf(this.entity).filter((key) => {
      const record = this.known.records.get(key);
      return (
        record?.state === 'applied' && !this.usual.has(key) && this.aspectOf(record.operation, key) === aspect
      );
    });
  }

  private noteOpenDeliveries(): void {
    // A receivable and its receipt are about the same money: the largest sum stands for it.
    let unbooked = 0n;
    for (const { shop, booked } of this.totals.values())
      if (shop.minor - booked.minor > unbooked) unbooked = shop.minor - booked.minor;
    for (const delivery of this.open)
      this.differences.push({
        ...openDifference(delivery),
        ...(unbooked > 0n && { expected: unbooked, found: 0n }),
      });
  }

  private setApart(why: SetApart['why'], aspect: Aspect, value: bigint, explains = true): void {
    if (explains) this.explain(aspect, value);
    this.apart.push({ why, aspect, value });
  }

  private explain(aspect: Aspect, value: bigint): void {
    this.outstanding.set(aspect, (this.outstanding.get(aspect) ?? 0n) + value);
  }

  /** What an effect books; undefined: no money. */
  private aspectOf(operation: string, key: string): Aspect | undefined {
    const { kind, key: entity } = this.entity.facts;
    switch (operation) {
      case 'credit-schedule.create':
        return 'schedule';
      case 'receipt.allocate':
      case 'receipt.register':
        return kind === 'dispute' ? 'chargeback-won' : 'receipt';
      case 'transfer.make':
        return 'payout';
      case 'payment.register':
        if (isAboutRefund(key)) return 'refund';
        if (key === `payment/${entity}` && (kind === 'dispute' || kind === 'bill')) return WHOLE[kind];
        return this.usual.has(key) ? 'fee' : 'other';
      case 'credit-schedule.write-off':
        return 'other';
      default:
        return undefined;
    }
  }

  private amountOf(planned: Planned | undefined): bigint | undefined {
    return planned && minorOf(planned.effect, this.entity.facts.currency);
  }

  private of(aspect: Aspect): AspectTotals {
    const totals = this.totals.get(aspect) ?? emptyTotals();
    this.totals.set(aspect, totals);
    return totals;
  }
}

/** What is said of a delivery that is not done. */
export function openDifference(delivery: KnownDelivery): Difference {
  const { id, state, waitsOnly, hasBody } = delivery;
  const code = state === 'waiting' ? 'waiting' : waitsOnly ? 'waits-for-record' : 'dead-letter';
  return {
    ...{ code, aspect: null, effect: null, deliveryId: id, cause: openCause(code, delivery.reason) },
    repairable: code === 'dead-letter' && hasBody,
  };
}

function openCause(code: 'waiting' | 'dead-letter' | 'waits-for-record', reason: string | null): string {
  if (code === 'waiting')
    return reason === null
      ? 'a message about it came in and waits to be worked on'
      : `a message about it came in and is tried again: ${reason}`;
  if (code === 'waits-for-record')
    return `a message about it waits for a record that another one makes, and goes on by itself: ${reason ?? ''}`;
  return `a message about it is a dead letter: ${reason ?? 'no reason is known'}`;
}

/** A delivery that is done is worked on again; one that was given up is not. */
function rank(delivery: KnownDelivery | undefined): number {
  if (!delivery) return 3;
  return { done: 0, waiting: 1, dead: 1, discarded: 2 }[delivery.state];
}

function addTo(tally: Tally, minor: bigint, count = 1): void {
  tally.count += count;
  tally.minor += minor;
}
