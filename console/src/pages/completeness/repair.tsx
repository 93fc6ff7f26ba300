import { useEffect, useState } from 'preact/hooks';
import type { RepairProgressView } from '../../../../src/admin/backtest/backtest.dto';
import type { CompletenessRepairView } from '../../../../src/admin/completeness/completeness.dto';
import { write } from '../../api';
import { useFormats } from '../../format';
import { useLiveRound } from '../../live';
import { asError, useLoaded } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Badge, Button, Failure, Field, Instant } from '../../ui/basics';

const T = texts(
  {
    repair: 'Repair',
    title: 'Repair what is missing',
    explains:
      'Webhooks with something missing are worked on again in the ordinary way. What is in the books is found and stays as it is: nothing is booked twice.',
    which: 'What is repaired',
    all: 'All that can be',
    letters: 'Only webhooks that could not be worked on',
    missing: 'Only what was planned and is not in the books',
    planning: 'Making the plan…',
    nothing: 'There is nothing that a repair could do.',
    deliveries: (count: string) => `Webhooks that are worked on again: ${count}`,
    byPerson: (count: string) =>
      `Differences that are left, because somebody decides or they go on by themselves: ${count}`,
    more: 'There are more than one repair takes: repair again when this one is done.',
    compare: "The source is compared with the shop's own list again, from",
    listed: 'Which ones',
    whole: 'all of it',
    queued: 'The repair has begun.',
    progress: 'The repair',
    again: 'Look again',
    ofAll: (count: string) => `${count} webhooks were put back to work:`,
    done: (count: string) => `${count} done`,
    waiting: (count: string) => `${count} waiting`,
    dead: (count: string) => `${count} need a person`,
    discarded: (count: string) => `${count} given up`,
  },
  {
    repair: 'Reparar',
    title: 'Reparar o que falta',
    explains:
      'Webhooks dos quais falta algo são processados de novo, do modo normal. O que está nos livros é encontrado e fica como está: nada é lançado em duplicidade.',
    which: 'O que se repara',
    all: 'Tudo o que pode ser reparado',
    letters: 'Só os webhooks que não puderam ser processados',
    missing: 'Só o que foi planejado e não está nos livros',
    planning: 'Fazendo o plano…',
    nothing: 'Não há nada que um reparo possa fazer.',
    deliveries: (count: string) => `Webhooks que são processados de novo: ${count}`,
    byPerson: (count: string) =>
      `Diferenças que ficam, porque alguém decide ou porque seguem sozinhas: ${count}`,
    more: 'Há mais do que um reparo alcança: repare de novo quando este terminar.',
    compare: 'A origem é comparada de novo com a lista da própria loja, a partir de',
    listed: 'Quais',
    whole: 'tudo',
    queued: 'O reparo começou.',
    progress: 'O reparo',
    again: 'Ver de novo',
    ofAll: (count: string) => `${count} webhooks voltaram a ser processados:`,
    done: (count: string) => `${count} concluídos`,
    waiting: (count: string) => `${count} em espera`,
    dead: (count: string) => `${count} precisam de alguém`,
    discarded: (count: string) => `${count} descartados`,
  },
);

/** A period of a source. */
export interface Question {
  readonly source: string;
  readonly from: string;
  readonly to: string;
}

type Which = 'all' | 'dead-letter' | 'missing';

/** Deliveries of a plan that are named. */
const MOST_NAMED = 50;

/** Has what is missing of a period done, once somebody has seen the plan. */
export function Repair({ of, onDone }: { of: Question; onDone: (repair: string | null) => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [which, setWhich] = useState<Which>('all');
  const [plan, setPlan] = useState<CompletenessRepairView>();
  const send = (more: object): Promise<CompletenessRepairView> =>
    write('POST', path('completeness', 'repair'), {
      ...of,
      ...(which !== 'all' && { codes: [which] }),
      ...more,
    });
  const repair = async (reason: string): Promise<void> => {
    const done = await send({ dryRun: false, plan: plan?.plan, reason });
    onDone(done.repair);
  };
  return (
    <Act
      label={t.repair}
      title={t.title}
      kind="main"
      done={t.queued}
      isReady={plan !== undefined && (plan.deliveries > 0 || plan.compareFrom !== null)}
      act={repair}
    >
      <p>{t.explains}</p>
      <Field label={t.which}>
        {(given) => (
          <select
            {...given}
            value={which}
            onChange={({ currentTarget: { value } }) =>
              setWhich(value === 'dead-letter' || value === 'missing' ? value : 'all')
            }
          >
            <option value="all">{t.all}</option>
            <option value="dead-letter">{t.letters}</option>
            <option value="missing">{t.missing}</option>
          </select>
        )}
      </Field>
      <Plan key={which} ask={() => send({ dryRun: true })} plan={plan} onPlan={setPlan} />
    </Act>
  );
}

/** What a repair would do; asked for when it is shown. */
function Plan({
  ask,
  plan,
  onPlan,
}: {
  ask: () => Promise<CompletenessRepairView>;
  plan: CompletenessRepairView | undefined;
  onPlan: (plan: CompletenessRepairView | undefined) => void;
}) {
  const t = useTexts(T);
  const { count } = useFormats();
  const [error, setError] = useState<Error>();
  const look = (): (() => void) => {
    let isShown = true;
    onPlan(undefined);
    setError(undefined);
    ask().then(
      (made) => isShown && onPlan(made),
      (failure: unknown) => isShown && setError(asError(failure)),
    );
    return () => {
      isShown = false;
    };
  };
  useEffect(look, []);
  if (error) return <Failure error={error} again={look} />;
  if (!plan) return <p role="status">{t.planning}</p>;
  const { deliveries, byPerson, more, compareFrom, listed } = plan;
  return (
    <div class="preview" role="status">
      {deliveries === 0 && compareFrom === null && <p>{t.nothing}</p>}
      {deliveries > 0 && <p>{t.deliveries(count(deliveries))}</p>}
      {byPerson > 0 && <p>{t.byPerson(count(byPerson))}</p>}
      {compareFrom !== null && (
        <p>
          {t.compare} <Instant at={compareFrom} />
        </p>
      )}
      {more && <p>{t.more}</p>}
      {listed.length > 0 && (
        <details>
          <summary>{t.listed}</summary>
          <ul>
            {listed.slice(0, MOST_NAMED).map(({ delivery, businessKey, effects }) => (
              <li key={delivery}>
                <strong>{businessKey ?? delivery}</strong>:{' '}
                {effects.length === 0 ? t.whole : effects.map((key) => <code key={key}>{key} </code>)}
              </li>
            ))}
            {deliveries > MOST_NAMED && <li>…</li>}
          </ul>
        </details>
      )}
    </div>
  );
}

/** How far a repair is; looked at again as webhooks are worked on. */
export function Progress({ repair, onEnd }: { repair: string; onEnd: () => void }) {
  const t = useTexts(T);
  const { count } = useFormats();
  const path = useAdminPath();
  const { value, error, reload } = useLoaded<RepairProgressView>(path('repairs', repair));
  const round = useLiveRound();
  const isWaiting = value === undefined || value.waiting > 0;
  useEffect(() => {
    if (round > 0 && isWaiting) reload();
  }, [round]);
  useEffect(() => {
    if (!isWaiting) onEnd();
  }, [isWaiting]);
  if (error) return <Failure error={error} again={reload} />;
  if (!value) return null;
  return (
    <div class="preview" role="status">
      <strong>{t.progress}</strong>
      <p>
        {t.ofAll(count(value.queued))} <Badge tone="good">{t.done(count(value.done))}</Badge>{' '}
        <Badge tone={value.waiting > 0 ? 'warn' : 'quiet'}>{t.waiting(count(value.waiting))}</Badge>{' '}
        <Badge tone={value.dead > 0 ? 'bad' : 'quiet'}>{t.dead(count(value.dead))}</Badge>{' '}
        {value.waiting > 0 && <Button onClick={reload}>{t.again}</Button>}
        {value.discarded > 0 && <Badge tone="quiet">{t.discarded(count(value.discarded))}</Badge>}
      </p>
    </div>
  );
}
