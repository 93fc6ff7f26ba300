import { useEffect, useRef, useState } from 'preact/hooks';
import type { RepairProgressView, RepairView } from '../../../../src/admin/backtest/backtest.dto';
import { write } from '../../api';
import { useFormats } from '../../format';
import { asError, useLoaded } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Button, Failure, Nothing, Section, WhenLoaded } from '../../ui/basics';
import { Outcome, Running, type Period } from './backtest';

const T = texts(
  {
    title: 'Have what is missing booked',
    intro:
      'A repair works on the webhooks of the period again for which something is missing, with all rules in force. What was booked is found and stays.',
    disabled: 'The rule is disabled. Enable it first: a repair asks the rules that are in force.',
    written: 'A repair asks the version in force, not what you wrote.',
    look: 'See the plan',
    planTitle: 'The plan, of all rules in force',
    nothing: 'Nothing is missing in this period: there is nothing to repair.',
    plan: (count: string) => `Webhooks that have to be worked on again: ${count}.`,
    repair: 'Have it booked',
    repairTitle: 'Have what is missing booked',
    repairSays: (count: string) =>
      `Webhooks put back to work: ${count}. The totals of the plan say what is booked. Change no rule before it is done.`,
    queued: 'The webhooks were put back to work.',
    noneQueued: 'Nothing was put back to work: it waits already, or its content is no longer kept.',
    progress: 'How far it is',
    done: (done: string, queued: string) => `${done} of ${queued} webhooks are done.`,
    dead: (count: string) => `Webhooks that need a person: ${count}. They are listed under Webhooks.`,
    discarded: (count: string) => `Webhooks that were given up: ${count}.`,
    finished: 'The repair is finished.',
  },
  {
    title: 'Lançar o que falta',
    intro:
      'Um reparo processa de novo os webhooks do período em que falta algo, com todas as regras em vigor. O que já foi lançado é encontrado e fica.',
    disabled: 'A regra está inativa. Ative-a primeiro: um reparo consulta as regras em vigor.',
    written: 'Um reparo consulta a versão em vigor, não o que você escreveu.',
    look: 'Ver o plano',
    planTitle: 'O plano, de todas as regras em vigor',
    nothing: 'Não falta nada neste período: não há o que reparar.',
    plan: (count: string) => `Webhooks que têm de ser processados de novo: ${count}.`,
    repair: 'Lançar',
    repairTitle: 'Lançar o que falta',
    repairSays: (count: string) =>
      `Webhooks que voltam a ser processados: ${count}. Os totais do plano dizem o que é lançado. Não mude nenhuma regra antes que termine.`,
    queued: 'Os webhooks voltaram a ser processados.',
    noneQueued: 'Nada voltou a ser processado: já está em espera, ou o conteúdo já não é guardado.',
    progress: 'Andamento',
    done: (done: string, queued: string) => `${done} de ${queued} webhooks concluídos.`,
    dead: (count: string) => `Webhooks que precisam de alguém: ${count}. Estão em Webhooks.`,
    discarded: (count: string) => `Webhooks descartados: ${count}.`,
    finished: 'O reparo terminou.',
  },
);

/** Milliseconds between two questions how far it is. */
const ASK_AGAIN_MS = 2_000;

/** Has what is missing of a period booked: first the plan, then with a reason. */
export function Repair({
  enabled,
  period,
  isWritten,
}: {
  enabled: boolean;
  period: Period;
  /** Whether something is written that is not in force. */
  isWritten: boolean;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [planned, setPlanned] = useState<{ view: RepairView; period: Period }>();
  const [error, setError] = useState<Error>();
  const [running, setRunning] = useState<AbortController>();
  const [queued, setQueued] = useState<RepairView>();
  useEffect(() => () => running?.abort(), [running]);
  const look = async (): Promise<void> => {
    const controller = new AbortController();
    setRunning(controller);
    setError(undefined);
    setPlanned(undefined);
    setQueued(undefined);
    try {
      const body = { ...period, dryRun: true };
      const view = await write<RepairView>('POST', path('repair'), body, controller.signal);
      setPlanned({ view, period });
    } catch (failure) {
      if (!controller.signal.aborted) setError(asError(failure));
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <Section title={t.title}>
      <p>{t.intro}</p>
      {isWritten && <p class="notice">{t.written}</p>}
      {enabled ? (
        <Button onClick={() => void look()} isBusy={running !== undefined}>
          {t.look}
        </Button>
      ) : (
        <p>{t.disabled}</p>
      )}
      {running && <Running />}
      {error && <Failure error={error} again={() => void look()} />}
      <div aria-live="polite">
        {planned && !queued && <Planned planned={planned} onQueued={setQueued} />}
        {queued &&
          (queued.repair === null ? <Nothing>{t.noneQueued}</Nothing> : <Progress id={queued.repair} />)}
      </div>
    </Section>
  );
}

function Planned({
  planned: { view, period },
  onQueued,
}: {
  planned: { view: RepairView; period: Period };
  onQueued: (view: RepairView) => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const { count } = useFormats();
  const deliveries = count(view.deliveries);
  const done = useRef<RepairView>();
  return (
    <>
      <p>{view.deliveries === 0 ? t.nothing : t.plan(deliveries)}</p>
      {view.deliveries > 0 && (
        <Act
          label={t.repair}
          title={t.repairTitle}
          kind="main"
          done={t.queued}
          act={async (reason) => {
            const body = { ...period, dryRun: false, plan: view.plan, reason };
            done.current = await write<RepairView>('POST', path('repair'), body);
          }}
          onDone={() => done.current && onQueued(done.current)}
        >
          <p>{t.repairSays(deliveries)}</p>
        </Act>
      )}
      <Outcome view={view.backtest} title={t.planTitle} />
    </>
  );
}

function Progress({ id }: { id: string }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const { count } = useFormats();
  const loaded = useLoaded<RepairProgressView>(path('repairs', id));
  const { value, reload } = loaded;
  const isFinished = value?.waiting === 0;
  useEffect(() => {
    if (isFinished) return undefined;
    const timer = setInterval(reload, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isFinished, reload]);
  return (
    <WhenLoaded of={loaded}>
      {({ queued, waiting, dead, discarded }) => (
        <>
          <h3>{t.progress}</h3>
          <p>
            <progress aria-label={t.progress} value={queued - waiting} max={queued} />{' '}
            {t.done(count(queued - waiting), count(queued))}
          </p>
          {dead > 0 && <p>{t.dead(count(dead))}</p>}
          {discarded > 0 && <p>{t.discarded(count(discarded))}</p>}
          {isFinished && <p>{t.finished}</p>}
        </>
      )}
    </WhenLoaded>
  );
}
