import { formatMinor, Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { DeferredView } from '../../workflows/deferred/deferred-list.repository';
import type { TimelineEffect, TimelineItem } from './timeline.dto';
import { isAbout, type TimelineRecords } from './timeline-records';
import type { BookedRow, TimelineRunRow } from './timeline.repository';

/** What happened, one item for each record of it, in no order. */
export function timelineItems({ currency }: Organization, records: TimelineRecords): TimelineItem[] {
  const exponent = Money.exponentOf(currency);
  const receivedAt = new Map(records.deliveries.map((delivery) => [delivery.id, delivery.receivedAt]));
  return [
    ...records.deliveries.map(
      ({ id, sourceId, receivedAt: at, hasBody, lastRepeatAt, ...delivery }): TimelineItem => {
        const { origin, topic, state, outcome, reason, repeats } = delivery;
        return {
          ...{ at: at.toISOString(), kind: 'webhook', delivery: id },
          ...{ source: records.slugs.get(sourceId) ?? sourceId, origin, topic, state },
          ...{ outcome, reason, body: hasBody ? 'kept' : 'purged' },
          ...{ repeats, lastRepeatAt: lastRepeatAt?.toISOString() ?? null },
        };
      },
    ),
    ...records.runs.map((run) => runItem(run, run.finishedAt ?? receivedAt.get(run.deliveryId))),
    ...effectItems(records, exponent),
    ...entryItems(records, exponent),
    ...[...records.attention]
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id, code, detail, amountMinor, currency: own, createdAt, resolvedAt }): TimelineItem => ({
        ...{ at: createdAt.toISOString(), kind: 'attention', id, code, detail },
        value: formatMinor(amountMinor, Money.exponentOf(own ?? currency)),
        ...{ currency: own ?? currency, resolvedAt: resolvedAt?.toISOString() ?? null },
      })),
    ...records.approvals.map(
      ({ id, requestedAt, effectKey, state, rule, step, decidedAt, decidedBy, reason }): TimelineItem => ({
        ...{ at: requestedAt.toISOString(), kind: 'approval', id, effect: effectKey, state, rule, step },
        ...{ decidedAt: decidedAt?.toISOString() ?? null, decidedBy, reason },
      }),
    ),
    ...records.audit.map(({ at, action, subject, actor, reason, runs }): TimelineItem => ({
      ...{ at: at.toISOString(), kind: 'audit', action, subject, actor, reason },
      runs: runs.map(({ event, rule, version, state, steps }) => ({ event, rule, version, state, steps })),
    })),
    ...records.changes.map(({ at, id, cursor, type, subject, businessKey, deliveryId }): TimelineItem => ({
      ...{ at: at.toISOString(), kind: 'feed', id, cursor, type, subject },
      ...{ effect: businessKey, delivery: deliveryId },
    })),
  ];
}

function runItem(run: TimelineRunRow, at: Date | undefined): TimelineItem {
  const { deliveryId, event, rule, version, state, reason, steps } = run;
  return {
    ...{ at: (at ?? new Date(0)).toISOString(), kind: 'run', delivery: deliveryId },
    ...{ event, rule, version, state, reason },
    steps: steps.map((step) => ({
      ...{ id: step.id, action: step.action, state: step.state, effects: step.effects },
      note: step.reason ?? null,
    })),
  };
}

/** Each effect once, by its record, or while it has none by what puts it off. */
function effectItems(records: TimelineRecords, exponent: number): TimelineEffect[] {
  const deferred = new Map(records.deferred.map((each) => [each.key, each]));
  const made = records.effects
    .filter((effect) => isAbout(effect, records))
    .map(({ key, operation, state, amountMinor, output, reason, updatedAt }): TimelineEffect => {
      const calls = records.calls.filter(({ effectKey }) => effectKey === key);
      const call = calls.find((one) => one.state !== 'applied') ?? calls.at(-1);
      const isAbandoned = state !== 'applied' && calls.some(({ abandonedAt }) => abandonedAt !== null);
      return {
        ...{ at: updatedAt.toISOString(), kind: 'effect', key, operation },
        state: isAbandoned ? 'abandoned' : state,
        value: amountMinor === null ? null : formatMinor(amountMinor, exponent),
        ...{ reason, output, call: call ? { id: call.id, state: call.state } : null },
        deferredTo: deferred.get(key)?.notBefore ?? null,
      };
    });
  const known = new Set(records.effects.map(({ key }) => key));
  return [...made, ...records.deferred.filter(({ key }) => !known.has(key)).map(deferredItem)];
}

function deferredItem(effect: DeferredView): TimelineEffect {
  const { key, operation, state, value, reason, createdAt, finishedAt, notBefore } = effect;
  return {
    ...{ at: finishedAt ?? createdAt, kind: 'effect', key, operation },
    state: state === 'waiting' ? 'deferred' : state,
    ...{ value, reason, output: {}, call: null, deferredTo: notBefore },
  };
}

function entryItems({ effects, booked = [] }: TimelineRecords, exponent: number): TimelineItem[] {
  const makers = new Map(
    effects.flatMap((effect, index) => {
      const { id, all = [] } = effect.output;
      return [...all, ...(id === undefined ? [] : [id])].map(
        (record) => [record, { effect, index }] as const,
      );
    }),
  );
  const placeOf = ({ id }: BookedRow): number => makers.get(id)?.index ?? effects.length;
  const sorted = [...booked].sort(
    (one, other) => placeOf(one) - placeOf(other) || (one.id < other.id ? -1 : 1),
  );
  return sorted.map(({ id, type, minor, date, description, reversesId, ...row }): TimelineItem => {
    const maker = makers.get(id)?.effect;
    return {
      // Both were written in one transaction, and by two clocks.
      at: (maker?.updatedAt ?? row.createdAt).toISOString(),
      ...{ kind: 'entry', type, record: id, effect: maker?.key ?? null },
      account: row.toAccount ?? row.fromAccount,
      fromAccount: type === 'transfer' ? row.fromAccount : null,
      ...{ value: formatMinor(minor, exponent), date, description },
      takesBack: reversesId,
    };
  });
}
