import { useEffect, useRef } from 'preact/hooks';
import type { ApprovalView } from '../../../src/admin/approvals/approvals.dto';
import type { AttentionView, DeliveryView } from '../../../src/admin/deliveries/deliveries.dto';
import type { DeferredEffectView } from '../../../src/admin/deliveries/deliveries.dto';
import type { CallSummary } from '../../../src/admin/finance/effects-admin.dto';
import type { OpenCountsView } from '../../../src/admin/overview/overview.dto';
import { usePages } from '../loaded';
import { useLiveState } from '../overview';
import { useAdminPath } from '../session';
import { texts, useTexts } from '../texts';
import { Heading, Nothing } from '../ui/basics';
import { Approvals } from './needs/approvals';
import { AttentionItems } from './needs/attention';
import { DeadLetters } from './needs/dead-letters';
import { Deferred } from './needs/deferred';
import { Effects } from './needs/effects';
import { useCount } from './needs/kind';
import './needs/needs.css';

const T = texts(
  { title: 'Needs a person', nothing: 'Nothing needs a person at the moment.' },
  { title: 'Precisa de alguém', nothing: 'No momento nada precisa de alguém.' },
);

/** Everything that a person has to decide, by its kind, with what can be done about it. */
export function Needs() {
  const t = useTexts(T);
  const path = useAdminPath();
  const countOf = useCount();
  const letters = usePages<DeliveryView>(path('dead-letters'), { needsPerson: true });
  const calls = usePages<CallSummary>(path('effects'), { state: 'unknown' });
  const attention = usePages<AttentionView>(path('attention'));
  const approvals = usePages<ApprovalView>(path('approvals'), { state: 'waiting' });
  const deferred = usePages<DeferredEffectView>(path('deferred-effects'), { state: 'refused' });
  const lists = [letters, calls, attention, approvals, deferred];
  const reload = (): void => lists.forEach((list) => list.reload());
  const open = useLiveState()?.open;
  useWhenChanged(open, reload);
  const known = (name: keyof Omit<OpenCountsView, 'complete'>) =>
    open && { count: open[name], isExact: open.complete };
  const undecided = calls.items?.filter(({ parkedAt }) => parkedAt !== null);
  const isNothing =
    lists.every(({ items, error }) => items && !error) &&
    [letters, attention, approvals, deferred].every(({ items }) => items?.length === 0) &&
    undecided?.length === 0 &&
    calls.more === undefined;
  return (
    <>
      <Heading title={t.title} />
      <div role="status">{isNothing && <Nothing>{t.nothing}</Nothing>}</div>
      <DeadLetters
        list={letters}
        count={countOf(letters.items?.length ?? 0, letters.more !== undefined, known('deadLetters'))}
        onDone={reload}
      />
      <Effects
        list={calls}
        count={countOf(undecided?.length ?? 0, calls.more !== undefined)}
        onDone={reload}
      />
      <AttentionItems
        list={attention}
        count={countOf(attention.items?.length ?? 0, attention.more !== undefined, known('attention'))}
        onDone={reload}
      />
      <Approvals
        list={approvals}
        count={countOf(approvals.items?.length ?? 0, approvals.more !== undefined, known('approvals'))}
        onDone={reload}
      />
      <Deferred
        list={deferred}
        count={countOf(deferred.items?.length ?? 0, deferred.more !== undefined)}
        onDone={reload}
      />
    </>
  );
}

/** Reads again when other numbers of things are open than before, unless somebody is deciding about one of them. */
function useWhenChanged(open: OpenCountsView | undefined, reload: () => void): void {
  const text = JSON.stringify(open);
  const before = useRef<string>();
  useEffect(() => {
    const isFirst = before.current === undefined;
    before.current = text;
    if (!isFirst && document.querySelector('dialog[open]') === null) reload();
  }, [text]);
}
