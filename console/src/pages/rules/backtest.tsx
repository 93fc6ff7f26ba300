import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type {
  BacktestTotalView,
  BacktestView,
  EffectDifferenceView,
  NamedDeliveryView,
} from '../../../../src/admin/backtest/backtest.dto';
import type { RuleDetail } from '../../../../src/admin/rules/rules.dto';
import type { SourceList } from '../../../../src/admin/sources/sources.dto';
import { write } from '../../api';
import { useFormats } from '../../format';
import { asError, useLoaded } from '../../loaded';
import { useAdminPath, useHref } from '../../session';
import { texts, useTexts } from '../../texts';
import {
  Fact,
  Badge,
  Button,
  Day,
  Failure,
  Field,
  Instant,
  Money,
  More,
  Nothing,
  Section,
  type Tone,
} from '../../ui/basics';
import { Table } from '../../ui/table';
import { Repair } from './repair';
import { useOperationWords } from './words';

const T = texts(
  {
    intro:
      'What came in a period is planned anew with this rule and compared with what was booked. Nothing is written, and the finance system is not asked.',
    from: 'Received from',
    to: 'to, that day included',
    source: 'Source',
    all: 'All',
    run: 'Compare',
    stop: 'Stop',
    running: (seconds: string) => `Comparing for ${seconds}. It takes a minute and a half at most.`,
    nameless: 'The document has to name the rule first.',
    ofDraft: 'Compared is what you wrote.',
    ofVersion: (version: number) => `Compared is version ${version}, in force.`,
    title: 'What would be otherwise',
    read: 'Webhooks received',
    compared: 'of them compared',
    orders: 'Orders compared',
    differing: 'of them different',
    planned: 'Effects planned',
    refusals: 'Refusals',
    nothing: 'Nothing is different: what the rule plans was booked.',
    nothingCompared: 'No webhook of this period was compared.',
    totals: 'In all',
    kind: 'Difference',
    operation: 'What',
    count: 'How many',
    sum: 'Sum',
    differences: 'Order by order',
    order: 'Order',
    now: 'Planned or booked',
    applied: 'Booked with',
    day: 'Day',
    content: 'What else is different',
    advice: 'What to do',
    webhook: 'Webhook',
    open: 'open',
    missing: 'missing',
    changed: 'different',
    unplanned: 'no longer planned',
    undecided: 'undecided',
    missingSays: 'Missing: the rule plans it, and it was not booked.',
    changedSays:
      'Different: it was booked otherwise than the rule plans it now. The sum is how much more it would be.',
    unplannedSays: 'No longer planned: it was booked, and the rule does not plan it any more.',
    undecidedSays: 'Undecided: what came of it is not known, or a person gave it up.',
    notListed: (count: string) => `Of ${count} more orders that differ only the totals are shown.`,
    refusedTitle: 'What the rule refuses',
    rule: 'Rule',
    step: 'Step',
    why: 'Why',
    left: 'What was not compared',
    waiting: (count: string) => `Webhooks that wait: ${count}`,
    dead: (count: string) => `Webhooks that need a person: ${count}`,
    discarded: (count: string) => `Webhooks that were given up: ${count}`,
    gone: (count: string) => `Webhooks whose content is no longer kept: ${count}`,
  },
  {
    intro:
      'O que chegou em um período é planejado de novo com esta regra e comparado com o que foi lançado. Nada é gravado, e o sistema financeiro não é consultado.',
    from: 'Recebido de',
    to: 'até, com esse dia',
    source: 'Origem',
    all: 'Todas',
    run: 'Comparar',
    stop: 'Parar',
    running: (seconds: string) => `Comparando há ${seconds}. Leva no máximo um minuto e meio.`,
    nameless: 'Antes o documento tem de dar nome à regra.',
    ofDraft: 'Foi comparado o que você escreveu.',
    ofVersion: (version: number) => `Foi comparada a versão ${version}, em vigor.`,
    title: 'O que seria diferente',
    read: 'Webhooks recebidos',
    compared: 'deles comparados',
    orders: 'Pedidos comparados',
    differing: 'deles diferentes',
    planned: 'Efeitos planejados',
    refusals: 'Recusas',
    nothing: 'Nada é diferente: o que a regra planeja foi lançado.',
    nothingCompared: 'Nenhum webhook deste período foi comparado.',
    totals: 'No total',
    kind: 'Diferença',
    operation: 'O quê',
    count: 'Quantos',
    sum: 'Soma',
    differences: 'Pedido por pedido',
    order: 'Pedido',
    now: 'Planejado ou lançado',
    applied: 'Lançado com',
    day: 'Dia',
    content: 'O que mais é diferente',
    advice: 'O que fazer',
    webhook: 'Webhook',
    open: 'abrir',
    missing: 'faltando',
    changed: 'diferente',
    unplanned: 'não mais planejado',
    undecided: 'não decidido',
    missingSays: 'Faltando: a regra o planeja, e não foi lançado.',
    changedSays:
      'Diferente: foi lançado de modo diferente do que a regra planeja agora. A soma é quanto seria a mais.',
    unplannedSays: 'Não mais planejado: foi lançado, e a regra já não o planeja.',
    undecidedSays: 'Não decidido: não se sabe o que resultou, ou uma pessoa o descartou.',
    notListed: (count: string) => `De mais ${count} pedidos diferentes só os totais são mostrados.`,
    refusedTitle: 'O que a regra recusa',
    rule: 'Regra',
    step: 'Passo',
    why: 'Por quê',
    left: 'O que não foi comparado',
    waiting: (count: string) => `Webhooks em espera: ${count}`,
    dead: (count: string) => `Webhooks que precisam de alguém: ${count}`,
    discarded: (count: string) => `Webhooks descartados: ${count}`,
    gone: (count: string) => `Webhooks cujo conteúdo já não é guardado: ${count}`,
  },
);

type Kind = BacktestTotalView['kind'];

const TONES: Readonly<Record<Kind, Tone>> = {
  ...{ missing: 'bad', changed: 'warn', unplanned: 'warn', undecided: 'quiet' },
};

/** Differences that are shown at first, and with each asking for more. */
const AT_ONCE = 50;

/** A period as the operators' API takes it. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly source?: string;
}

/** Compares what came in a period with what a rule would make of it. */
export function RuleBacktest({
  name,
  stored,
  document,
}: {
  /** Undefined: the document does not say it yet. */
  name: string | undefined;
  stored: RuleDetail | undefined;
  /** Undefined: it is as it is in force. */
  document: string | undefined;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [period, setPeriod] = useState<Period>(lastMonth);
  const [outcome, setOutcome] = useState<{ view: BacktestView; period: Period; ofDraft: boolean }>();
  const [error, setError] = useState<Error>();
  const [running, setRunning] = useState<AbortController>();
  useEffect(() => () => running?.abort(), [running]);
  const run = async (rule: string): Promise<void> => {
    const controller = new AbortController();
    setRunning(controller);
    setError(undefined);
    setOutcome(undefined);
    try {
      const body = { ...period, ...(document !== undefined && { document }) };
      const view = await write<BacktestView>(
        ...(['POST', path('rules', rule, 'backtest'), body, controller.signal] as const),
      );
      setOutcome({ view, period, ofDraft: document !== undefined });
    } catch (failure) {
      if (!controller.signal.aborted) setError(asError(failure));
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <>
      <p>{t.intro}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== undefined && !running) void run(name);
        }}
      >
        <ChoosePeriod period={period} onChange={setPeriod} />
        {name === undefined ? (
          <Nothing>{t.nameless}</Nothing>
        ) : (
          <p class="actions">
            <button type="submit" class="button main" disabled={running !== undefined} aria-busy={!!running}>
              {t.run}
            </button>
            {running && <Button onClick={() => running.abort()}>{t.stop}</Button>}
          </p>
        )}
      </form>
      {running && <Running />}
      {error && <Failure error={error} />}
      <div aria-live="polite">
        {outcome && (
          <>
            <p>
              {outcome.ofDraft || !stored ? t.ofDraft : t.ofVersion(outcome.view.version ?? stored.version)}
            </p>
            <Outcome view={outcome.view} />
          </>
        )}
      </div>
      {stored && <Repair enabled={stored.enabled} period={period} isWritten={document !== undefined} />}
    </>
  );
}

function ChoosePeriod({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const sources = useLoaded<SourceList>(path('sources')).value?.items ?? [];
  const { from, to, source } = period;
  return (
    <div class="filters">
      <Field label={t.from}>
        {(given) => (
          <input
            {...given}
            type="date"
            required
            value={from}
            onInput={({ currentTarget }) => onChange({ ...period, from: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t.to}>
        {(given) => (
          <input
            {...given}
            type="date"
            required
            min={from}
            value={to}
            onInput={({ currentTarget }) => onChange({ ...period, to: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t.source}>
        {(given) => (
          <select
            {...given}
            value={source ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ from, to, ...(value && { source: value }) })
            }
          >
            <option value="">{t.all}</option>
            {sources.map(({ slug }) => (
              <option key={slug} value={slug}>
                {slug}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

/** How long it has been running. */
export function Running() {
  const t = useTexts(T);
  const { duration } = useFormats();
  const begun = useRef(performance.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((performance.now() - begun.current) / 1_000), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="running">
      <progress aria-label={t.run} /> {t.running(duration(seconds))}
    </p>
  );
}

/** What a comparison came to. */
export function Outcome({ view, title }: { view: BacktestView; title?: string }) {
  const t = useTexts(T);
  const { count } = useFormats();
  const words = useOperationWords();
  const { totals, items, currency, deliveries, orders } = view;
  const facts = [
    [t.read, deliveries.read],
    [t.compared, deliveries.compared],
    [t.orders, orders.compared],
    [t.differing, orders.differing],
    [t.planned, view.effects],
    [t.refusals, view.refusals],
  ] as const;
  const effects = items.flatMap(({ businessKey, effects: own }) =>
    own.map((effect) => ({ businessKey, effect })),
  );
  const refused = items.flatMap(({ businessKey, refused: own }) =>
    own.map((refusal) => ({ businessKey, refusal })),
  );
  const advice = new Set(effects.flatMap(({ effect }) => effect.advice ?? []));
  const kinds = new Set(totals.map(({ kind }) => kind));
  const isSame = totals.length === 0 && view.refusals === 0;
  return (
    <Section title={title ?? t.title}>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {count(value)}
          </Fact>
        ))}
      </dl>
      {isSame && <Nothing>{deliveries.compared === 0 ? t.nothingCompared : t.nothing}</Nothing>}
      {totals.length > 0 && (
        <>
          <h3>{t.totals}</h3>
          <Table
            caption={t.totals}
            rows={totals}
            keyOf={({ kind, operation }) => `${kind} ${operation}`}
            columns={[
              { name: t.kind, show: ({ kind }) => <Badge tone={TONES[kind]}>{t[kind]}</Badge> },
              { name: t.operation, show: ({ operation }) => words(operation) },
              { name: t.count, isNumber: true, show: (total) => count(total.count) },
              {
                ...{ name: t.sum, isNumber: true },
                show: ({ value }) => <Money amount={value} currency={currency} />,
              },
            ]}
          />
          <ul class="hint">
            {kinds.has('missing') && <li>{t.missingSays}</li>}
            {kinds.has('changed') && <li>{t.changedSays}</li>}
            {kinds.has('unplanned') && <li>{t.unplannedSays}</li>}
            {kinds.has('undecided') && <li>{t.undecidedSays}</li>}
          </ul>
        </>
      )}
      {effects.length > 0 && (
        <>
          <h3>{t.differences}</h3>
          <Differences rows={effects} currency={currency} />
          {advice.size > 0 && (
            <>
              <h3>{t.advice}</h3>
              <ul>
                {[...advice].map((sentence) => (
                  <li key={sentence}>{sentence}.</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      {view.notListed > 0 && <p>{t.notListed(count(view.notListed))}</p>}
      {refused.length > 0 && (
        <>
          <h3>{t.refusedTitle}</h3>
          <Table
            caption={t.refusedTitle}
            rows={refused}
            keyOf={({ businessKey, refusal }) => `${businessKey} ${JSON.stringify(refusal)}`}
            columns={[
              { name: t.order, show: ({ businessKey }) => businessKey },
              { name: t.rule, show: ({ refusal }) => refusal.rule ?? '–' },
              { name: t.step, show: ({ refusal }) => refusal.step ?? '–' },
              { name: t.why, show: ({ refusal }) => refusal.reason },
            ]}
          />
        </>
      )}
      <Left view={view} />
    </Section>
  );
}

function Differences({
  rows,
  currency,
}: {
  rows: readonly { businessKey: string; effect: EffectDifferenceView }[];
  currency: string;
}) {
  const t = useTexts(T);
  const href = useHref();
  const words = useOperationWords();
  const [most, setMost] = useState(AT_ONCE);
  const table = (
    <Table
      caption={t.differences}
      rows={rows.slice(0, most)}
      keyOf={({ effect: { kind, key, operation, delivery } }) => `${kind} ${operation} ${key} ${delivery}`}
      columns={[
        { name: t.order, show: ({ businessKey }) => businessKey },
        { name: t.kind, show: ({ effect: { kind } }) => <Badge tone={TONES[kind]}>{t[kind]}</Badge> },
        { name: t.operation, show: ({ effect }) => words(effect.operation) },
        {
          ...{ name: t.now, isNumber: true },
          show: ({ effect }) => <Money amount={effect.value} currency={currency} />,
        },
        {
          ...{ name: t.applied, isNumber: true },
          show: ({ effect }) => <Money amount={effect.applied} currency={currency} />,
        },
        { name: t.day, show: ({ effect }) => <Day day={effect.date} /> },
        { name: t.content, show: ({ effect: { content } }) => content.join(', ') },
        {
          name: t.webhook,
          show: ({ businessKey, effect }) => (
            <Link href={href('deliveries', effect.delivery)} aria-label={`${t.open}: ${businessKey}`}>
              {t.open}
            </Link>
          ),
        },
      ]}
    />
  );
  const more = rows.length > most ? () => setMost(most + AT_ONCE) : undefined;
  return (
    <>
      {table}
      <More of={{ items: rows, isLoading: false, more }} />
    </>
  );
}

/** What could not be compared, by name as far as the reply names it. */
function Left({ view: { deliveries, waiting, dead, bodiesGone } }: { view: BacktestView }) {
  const t = useTexts(T);
  const { count } = useFormats();
  const { discarded } = deliveries;
  const groups = [
    { title: t.waiting(count(deliveries.waiting)), size: deliveries.waiting, named: waiting },
    { title: t.dead(count(deliveries.dead)), size: deliveries.dead, named: dead },
    { title: t.discarded(count(discarded)), size: discarded, named: [] },
    { title: t.gone(count(deliveries.bodiesGone)), size: deliveries.bodiesGone, named: bodiesGone },
  ].filter(({ size }) => size > 0);
  if (groups.length === 0) return null;
  return (
    <>
      <h3>{t.left}</h3>
      {groups.map(({ title, named }) => (
        <NamedDeliveries key={title} title={title} named={named} />
      ))}
    </>
  );
}

function NamedDeliveries({ title, named }: { title: string; named: readonly NamedDeliveryView[] }) {
  const href = useHref();
  if (named.length === 0) return <p>{title}</p>;
  return (
    <details>
      <summary>{title}</summary>
      <ul>
        {named.map(({ id, businessKey, receivedAt, reason }) => (
          <li key={id}>
            <Link href={href('deliveries', id)}>{businessKey ?? id}</Link> <Instant at={receivedAt} />{' '}
            {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The thirty days that end today, as the device counts days. */
function lastMonth(): Period {
  const dayOf = (back: number): string => {
    const day = new Date();
    day.setDate(day.getDate() - back);
    const [year, month, date] = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
    return `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  };
  return { from: dayOf(30), to: dayOf(0) };
}
