import './order.css';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import type {
  TimelineApproval,
  TimelineAttention,
  TimelineAudit,
  TimelineEffect,
  TimelineEntry,
  TimelineFeedChange,
  TimelineItem,
  TimelineRun,
  TimelineView,
  TimelineWebhook,
} from '../../../src/admin/orders/timeline.dto';
import { useLiveRound } from '../live';
import { useLoaded } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import {
  Fact,
  Badge,
  Day,
  Heading,
  Instant,
  Money,
  Nothing,
  Section,
  type Tone,
  WhenLoaded,
} from '../ui/basics';
import { Outcome } from '../ui/outcome';
import { useOperation } from '../words';
import { DeliveryState } from './deliveries';
import { DeliveryActs, EffectState } from './delivery';
import { SentAgain } from './sent-again';

const T = texts(
  {
    title: (key: string) => `Life of ${key}`,
    untitled: 'Life of an order',
    none: 'No order is named. Search for one above.',
    number: 'Number at the shop',
    total: 'Total at the shop',
    received: 'Received',
    refunded: 'Paid back',
    open: 'Still open',
    customer: 'Customer',
    elsewhere: 'in the finance service',
    story: 'What happened, in order',
    incomplete: 'There is more than is shown here, which is the newest of it.',
    webhook: 'Webhook',
    run: 'Rule',
    effect: 'Booking',
    entry: 'Entry',
    attention: 'Needs a person',
    approval: 'Approval',
    audit: 'An operator',
    byItself: 'By itself',
    before: 'Before:',
    feed: 'Feed',
    told: 'Connectors can read',
    purged: 'Its content is no longer kept.',
    ruleVersion: (rule: string, version: number) => `${rule}, version ${version}`,
    schedule: 'Receivable, due on',
    receipt: 'Receipt',
    payment: 'Payment',
    transfer: 'Transfer',
    discount: 'Write-off',
    reversal: 'Reversal',
    to: 'to',
    from: 'from',
    later: 'on',
    call: 'call to the finance service',
    settled: 'settled',
    decided: 'decided',
  },
  {
    title: (key: string) => `Vida de ${key}`,
    untitled: 'Vida de um pedido',
    none: 'Nenhum pedido foi indicado. Procure um acima.',
    number: 'Número na loja',
    total: 'Total na loja',
    received: 'Recebido',
    refunded: 'Estornado',
    open: 'Em aberto',
    customer: 'Cliente',
    elsewhere: 'no serviço financeiro',
    story: 'O que aconteceu, em ordem',
    incomplete: 'Há mais do que se mostra aqui: isto é o mais novo.',
    webhook: 'Webhook',
    run: 'Regra',
    effect: 'Lançamento pedido',
    entry: 'Lançamento',
    attention: 'Precisa de alguém',
    approval: 'Aprovação',
    audit: 'Um operador',
    byItself: 'Por si só',
    before: 'Antes:',
    feed: 'Feed',
    told: 'Os conectores podem ler',
    purged: 'O conteúdo já não é guardado.',
    ruleVersion: (rule: string, version: number) => `${rule}, versão ${version}`,
    schedule: 'Recebível, vence em',
    receipt: 'Recebimento',
    payment: 'Pagamento',
    transfer: 'Transferência',
    discount: 'Baixa',
    reversal: 'Reversão',
    to: 'para',
    from: 'de',
    later: 'em',
    call: 'chamada ao serviço financeiro',
    settled: 'resolvido',
    decided: 'decidido',
  },
);

/** All that happened to one order, in the order of time, with what it came to. */
export function Order() {
  const t = useTexts(T);
  const path = useAdminPath();
  const [search] = useSearchParams();
  const key = search.get('key') ?? '';
  const loaded = useLoaded<TimelineView>(key === '' ? undefined : path('timeline'), { key });
  const round = useLiveRound();
  useEffect(() => {
    if (round > 0) loaded.reload();
  }, [round]);
  return (
    <>
      <Heading title={key === '' ? t.untitled : t.title(key)} />
      {key === '' ? (
        <Nothing>{t.none}</Nothing>
      ) : (
        <WhenLoaded of={loaded}>
          {(view) => (
            <>
              <Summary view={view} />
              <Section title={t.story}>
                {!view.complete && <p class="hint">{t.incomplete}</p>}
                <ol class="timeline">
                  {view.items.map((item, index) => (
                    <Item key={index} item={item} currency={view.currency} onDone={loaded.reload} />
                  ))}
                </ol>
              </Section>
            </>
          )}
        </WhenLoaded>
      )}
    </>
  );
}

function Summary({ view: { summary, currency } }: { view: TimelineView }) {
  const t = useTexts(T);
  const href = useHref();
  const { customer } = summary;
  return (
    <dl class="facts">
      {summary.number && <Fact name={t.number}>{summary.number}</Fact>}
      {(['total', 'received', 'refunded', 'open'] as const).map((name) => (
        <Fact key={name} name={t[name]}>
          <Money amount={summary[name]} currency={currency} />
        </Fact>
      ))}
      {customer && (
        <Fact name={t.customer}>
          <Link href={href('customers', customer.id)}>{customer.name ?? t.elsewhere}</Link>
        </Fact>
      )}
    </dl>
  );
}

interface ItemProps<I> {
  item: I;
  currency: string;
  onDone: () => void;
}

/** Who acts where a webhook was worked on again without anybody's asking. */
export const ITSELF = 'ponte';

/** What each kind of item shows. */
const SHOWN: {
  [K in TimelineItem['kind']]: (props: ItemProps<Extract<TimelineItem, { kind: K }>>) => ComponentChildren;
} = {
  webhook: Webhook,
  run: Run,
  effect: Effect,
  entry: Entry,
  attention: AttentionRaised,
  approval: Approval,
  audit: Audit,
  feed: FeedChange,
};

const TONES: Readonly<Partial<Record<TimelineItem['kind'], Tone>>> = {
  attention: 'bad',
  approval: 'warn',
  entry: 'good',
};

function Item({ item, currency, onDone }: ItemProps<TimelineItem>) {
  const t = useTexts(T);
  const Shown = SHOWN[item.kind] as (props: ItemProps<TimelineItem>) => ComponentChildren;
  return (
    <li class={`moment ${item.kind}`}>
      <p class="when">
        <Instant at={item.at} />
        <Badge tone={TONES[item.kind] ?? 'plain'}>
          {item.kind === 'audit' && item.actor === ITSELF ? t.byItself : t[item.kind]}
        </Badge>
      </p>
      <div class="what">
        <Shown item={item} currency={currency} onDone={onDone} />
      </div>
    </li>
  );
}

function Webhook({ item, onDone }: ItemProps<TimelineWebhook>) {
  const t = useTexts(T);
  const href = useHref();
  const { delivery, source, topic, state, outcome, reason, body, repeats, lastRepeatAt } = item;
  return (
    <>
      <p>
        <Link href={href('deliveries', delivery)}>
          {source} {topic}
        </Link>{' '}
        <DeliveryState state={state} /> <Outcome>{reason ?? outcome}</Outcome>
      </p>
      <SentAgain times={repeats} lastAt={lastRepeatAt} />
      {body === 'purged' && <p class="hint">{t.purged}</p>}
      {state === 'dead' && (
        <div class="actions">
          <DeliveryActs delivery={{ id: delivery, state }} onDone={onDone} />
        </div>
      )}
    </>
  );
}

function Run({ item: { rule, version, event, state, reason, steps } }: ItemProps<TimelineRun>) {
  const t = useTexts(T);
  const href = useHref();
  return (
    <>
      <p>
        <Link href={href('rules', rule)}>{t.ruleVersion(rule, version)}</Link>{' '}
        <span class="quiet">{event}</span> <EffectState state={state} reason={reason} />
      </p>
      <ol class="steps">
        {steps.map(({ id, action, state: came, note }) => (
          <li key={id}>
            <strong>{id}</strong> <span class="quiet">{action}</span>{' '}
            <EffectState state={came} reason={note} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Effect({ item, currency }: ItemProps<TimelineEffect>) {
  const t = useTexts(T);
  const nameOf = useOperation();
  const { key, operation, state, value, reason, call, deferredTo } = item;
  return (
    <>
      <p>
        {nameOf(operation)} <EffectState state={state} reason={reason} />{' '}
        {value !== null && <Money amount={value} currency={currency} />}
        {deferredTo !== null && (
          <>
            {' '}
            {t.later} <Day day={deferredTo} />
          </>
        )}
      </p>
      <p class="hint">
        <code>{key}</code>
        {call && ` · ${t.call}: ${call.state}`}
      </p>
    </>
  );
}

function Entry({ item, currency }: ItemProps<TimelineEntry>) {
  const t = useTexts(T);
  const { type, value, date, account, fromAccount, description } = item;
  return (
    <>
      <p>
        {t[type]} {type === 'schedule' ? <Day day={date} /> : null}{' '}
        <Money amount={value} currency={currency} />
        {fromAccount && ` ${t.from} ${fromAccount.name}`}
        {account && ` ${t.to} ${account.name}`}
      </p>
      <p class="hint">
        {type !== 'schedule' && <Day day={date} />} {description}
      </p>
    </>
  );
}

function AttentionRaised({
  item: { code, detail, value, currency, resolvedAt },
}: ItemProps<TimelineAttention>) {
  const t = useTexts(T);
  return (
    <>
      <p>
        {detail} <Money amount={value} currency={currency} />
      </p>
      <p class="hint">
        <code>{code}</code>
        {resolvedAt !== null && (
          <>
            {` · ${t.settled} `}
            <Instant at={resolvedAt} />
          </>
        )}
      </p>
    </>
  );
}

function Approval({ item: { rule, step, state, effect, decidedAt, reason } }: ItemProps<TimelineApproval>) {
  const t = useTexts(T);
  return (
    <>
      <p>
        {rule}, {step} <EffectState state={state} reason={reason} />
      </p>
      <p class="hint">
        <code>{effect}</code>
        {decidedAt !== null && (
          <>
            {` · ${t.decided} `}
            <Instant at={decidedAt} />
          </>
        )}
      </p>
    </>
  );
}

function Audit({ item: { action, actor, reason, runs } }: ItemProps<TimelineAudit>) {
  const t = useTexts(T);
  return (
    <>
      <p>
        {action} {reason}
      </p>
      {runs.map(({ rule, version, state, steps }, index) => (
        <div key={index}>
          <p class="hint">
            {t.before} {t.ruleVersion(rule, version)} <EffectState state={state} reason={null} />
          </p>
          <ol class="steps">
            {steps.map(({ id, state: came }) => (
              <li key={id}>
                <strong>{id}</strong> <EffectState state={came} reason={null} />
              </li>
            ))}
          </ol>
        </div>
      ))}
      <p class="hint">
        <code>{actor}</code>
      </p>
    </>
  );
}

function FeedChange({ item: { type, subject, effect } }: ItemProps<TimelineFeedChange>) {
  const t = useTexts(T);
  return (
    <>
      <p>
        {t.told} <code>{type}</code>
      </p>
      <p class="hint">
        <code>{subject}</code>
        {effect !== null && (
          <>
            {' · '}
            <code>{effect}</code>
          </>
        )}
      </p>
    </>
  );
}
