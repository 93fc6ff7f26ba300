import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import type {
  DeliveryDetailView,
  DeliveryRunView,
  DeliveryStepView,
  ReplayedEffectView,
  ReplayView,
} from '../../../src/admin/deliveries/deliveries.dto';
import { write } from '../api';
import { asError, useLoaded } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Act } from '../ui/act';
import {
  Fact,
  Badge,
  Button,
  Failure,
  Heading,
  Instant,
  Money,
  Nothing,
  Section,
  type Tone,
  WhenLoaded,
} from '../ui/basics';
import { Outcome } from '../ui/outcome';
import { Table } from '../ui/table';
import { useOperation, useStateWord } from '../words';
import { DeliveryState } from './deliveries';
import { Payload } from './payload';
import { SentAgain } from './sent-again';

const T = texts(
  {
    title: (topic: string) => `Webhook ${topic}`,
    untitled: 'Webhook',
    order: 'The whole life of this',
    received: 'Received',
    source: 'Source',
    about: 'About',
    state: 'State',
    result: 'What came of it',
    why: 'Why',
    runs: 'Rules',
    noRuns: 'No rule acted on it.',
    effects: 'What was booked or done',
    effect: 'Effect',
    operation: 'What',
    value: 'Amount',
    body: 'What was sent',
    replay: 'Work on it again',
    replayTitle: 'Work on this webhook again',
    replayed: 'The webhook waits to be worked on again.',
    look: 'See what would be done',
    isDone: 'Already done, and left alone',
    isMissing: 'Would be done',
    isRefused: 'Cannot be done',
    nothingMissing: 'Nothing is missing: working on it again would change nothing.',
    discard: 'Give it up',
    discardTitle: 'Give this webhook up',
    discardSays: 'What it would have booked is not booked. It is listed as given up from now on.',
    discarded: 'The webhook was given up.',
    version: (rule: string, version: number) => `${rule}, version ${version}`,
  },
  {
    title: (topic: string) => `Webhook ${topic}`,
    untitled: 'Webhook',
    order: 'A vida inteira disto',
    received: 'Recebido',
    source: 'Origem',
    about: 'Sobre',
    state: 'Estado',
    result: 'O que resultou',
    why: 'Por quê',
    runs: 'Regras',
    noRuns: 'Nenhuma regra agiu.',
    effects: 'O que foi lançado ou feito',
    effect: 'Efeito',
    operation: 'O quê',
    value: 'Valor',
    body: 'O que foi enviado',
    replay: 'Processar de novo',
    replayTitle: 'Processar este webhook de novo',
    replayed: 'O webhook espera para ser processado de novo.',
    look: 'Ver o que seria feito',
    isDone: 'Já feito, fica como está',
    isMissing: 'Seria feito',
    isRefused: 'Não pode ser feito',
    nothingMissing: 'Nada falta: processar de novo não mudaria nada.',
    discard: 'Descartar',
    discardTitle: 'Descartar este webhook',
    discardSays: 'O que ele lançaria não é lançado. A partir de agora consta como descartado.',
    discarded: 'O webhook foi descartado.',
    version: (rule: string, version: number) => `${rule}, versão ${version}`,
  },
);

/** One webhook: what was sent, what rules made of it, and what can be done about it. */
export function Delivery() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { id = '' } = useParams();
  const loaded = useLoaded<DeliveryDetailView>(path('deliveries', id));
  const { value } = loaded;
  return (
    <>
      <Heading title={value ? t.title(value.topic) : t.untitled}>
        {value && <DeliveryActs delivery={value} onDone={loaded.reload} />}
      </Heading>
      <WhenLoaded of={loaded}>{(delivery) => <Shown delivery={delivery} />}</WhenLoaded>
    </>
  );
}

/** What can be done about a webhook: worked on again, after a look at what that would do, and given up. */
export function DeliveryActs({
  delivery: { id, state },
  onDone,
}: {
  delivery: { id: string; state: string };
  onDone: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const act = (what: string, body: object): Promise<unknown> =>
    write('POST', path('deliveries', id, what), body);
  return (
    <>
      {state !== 'waiting' && (
        <Act
          label={t.replay}
          title={t.replayTitle}
          done={t.replayed}
          act={(reason) => act('replay', { dryRun: false, reason })}
          onDone={onDone}
        >
          <ReplayPreview id={id} />
        </Act>
      )}
      {state === 'dead' && (
        <Act
          label={t.discard}
          title={t.discardTitle}
          kind="danger"
          done={t.discarded}
          act={(reason) => act('discard', { reason })}
          onDone={onDone}
        >
          <p>{t.discardSays}</p>
        </Act>
      )}
    </>
  );
}

/** What working on a webhook again would do; asked for when somebody wants to know. */
function ReplayPreview({ id }: { id: string }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [preview, setPreview] = useState<ReplayView>();
  const [error, setError] = useState<Error>();
  const look = (): void => {
    setError(undefined);
    write<ReplayView>('POST', path('deliveries', id, 'replay'), { dryRun: true }).then(
      setPreview,
      (failure: unknown) => setError(asError(failure)),
    );
  };
  if (error) return <Failure error={error} again={look} />;
  if (!preview) return <Button onClick={look}>{t.look}</Button>;
  const { applied, missing, refused } = preview;
  return (
    <div class="preview">
      {missing.length === 0 && refused.length === 0 && <p>{t.nothingMissing}</p>}
      <Effects title={t.isMissing} effects={missing} />
      <Effects title={t.isDone} effects={applied} />
      {refused.length > 0 && <h3>{t.isRefused}</h3>}
      <ul>
        {refused.map(({ rule, reason }) => (
          <li key={`${rule ?? ''} ${reason}`}>
            {rule && <strong>{rule}: </strong>}
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Effects({ title, effects }: { title: string; effects: readonly ReplayedEffectView[] }) {
  const nameOf = useOperation();
  if (effects.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {effects.map(({ rule, step, key, operation }) => (
          <li key={`${rule}/${step}/${key}`}>
            {nameOf(operation)} <code>{key}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

function Shown({ delivery }: { delivery: DeliveryDetailView }) {
  const t = useTexts(T);
  const operationName = useOperation();
  const href = useHref();
  const { businessKey, effects, runs } = delivery;
  const why = delivery.reason ?? delivery.note;
  return (
    <>
      <dl class="facts">
        <Fact name={t.received}>
          <Instant at={delivery.receivedAt} />
        </Fact>
        <Fact name={t.source}>
          <Link href={href('sources', delivery.source)}>{delivery.source}</Link>
        </Fact>
        <Fact name={t.about}>
          {businessKey === null ? (
            '–'
          ) : (
            <Link href={`${href('orders')}?key=${encodeURIComponent(businessKey)}`}>{businessKey}</Link>
          )}
        </Fact>
        <Fact name={t.state}>
          <DeliveryState state={delivery.state} needsPerson={delivery.needsPerson} />
        </Fact>
        {delivery.outcome && (
          <Fact name={t.result}>
            <Outcome>{delivery.outcome}</Outcome>
          </Fact>
        )}
        {why && (
          <Fact name={t.why}>
            <span lang="en">{why}</span>
          </Fact>
        )}
      </dl>
      <SentAgain times={delivery.repeats} lastAt={delivery.lastRepeatAt} />
      <Section title={t.runs}>
        {runs.length === 0 && <Nothing>{t.noRuns}</Nothing>}
        {runs.map((run) => (
          <Run key={`${run.event} ${run.rule}`} run={run} />
        ))}
      </Section>
      <Section title={t.effects}>
        {effects.length === 0 ? (
          <Nothing />
        ) : (
          <Table
            caption={t.effects}
            rows={effects}
            keyOf={({ key }) => key}
            columns={[
              { name: t.operation, show: ({ operation }) => operationName(operation) },
              { name: t.effect, show: ({ key }) => <code>{key}</code> },
              { name: t.state, show: ({ state, reason }) => <EffectState state={state} reason={reason} /> },
              {
                name: t.value,
                isNumber: true,
                show: ({ value, currency }) => <Money amount={value} currency={currency ?? undefined} />,
              },
            ]}
          />
        )}
      </Section>
      <Section title={t.body}>
        <Payload delivery={delivery} />
      </Section>
    </>
  );
}

const EFFECT_TONES: Readonly<Record<string, Tone>> = {
  ...{ applied: 'good', existing: 'good', done: 'good', refused: 'bad', unknown: 'bad' },
  ...{ intended: 'warn', pending: 'warn', waiting: 'warn', deferred: 'warn', running: 'warn' },
};

export function EffectState({ state, reason }: { state: string; reason?: string | null | undefined }) {
  const wordOf = useStateWord();
  return (
    <>
      <Badge tone={EFFECT_TONES[state] ?? 'quiet'}>{wordOf(state)}</Badge>{' '}
      {reason && <span lang="en">{reason}</span>}
    </>
  );
}

function Run({ run: { rule, version, state, steps, reason } }: { run: DeliveryRunView }) {
  const t = useTexts(T);
  return (
    <article class="run">
      <h3>
        {t.version(rule, version)} <EffectState state={state} reason={reason} />
      </h3>
      <ol>
        {(steps as readonly DeliveryStepView[]).map((step) => (
          <li key={step.id}>
            <strong>{step.id}</strong> <span class="quiet">{step.action}</span>{' '}
            <EffectState state={step.state} reason={step.reason} />
          </li>
        ))}
      </ol>
    </article>
  );
}
