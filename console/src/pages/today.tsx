import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OpenCountsView, OverviewView, ReceivedView } from '../../../src/admin/overview/overview.dto';
import { dayAfter, isDay, today } from '../days';
import { DayFilter, useFilters } from '../filters';
import { useFormats } from '../format';
import { useLive } from '../live';
import { useLoaded } from '../loaded';
import { useLiveState } from '../overview';
import { useAdminPath, useHref, useOrganization } from '../session';
import { texts, useTexts } from '../texts';
import { Button, Heading, Money, Nothing, Section, WhenLoaded } from '../ui/basics';
import { Table } from '../ui/table';
import { FlowChart } from './today/flow-chart';
import './today/today.css';

const T = texts(
  {
    title: 'Today',
    titleOf: (day: string) => `The day ${day}`,
    day: 'Day',
    before: 'The day before',
    next: 'The day after',
    toToday: 'Today',
    received: 'Webhooks of the day',
    accepted: 'came in',
    applied: 'worked on',
    waiting: 'wait to be worked on',
    waitingForRecord: 'wait for a record',
    dead: 'need a person',
    ignored: 'no rule had to do with them',
    discarded: 'given up',
    lag: (duration: string) => `The oldest webhook has been waiting for ${duration}.`,
    noLag: 'No webhook waits.',
    open: 'Open now, whatever the day',
    deadLetters: 'webhooks that could not be worked on',
    unknownEffects: 'calls whose outcome is not known',
    attention: 'to be looked at',
    approvals: 'approvals',
    deferred: 'to be done on a later day',
    nothingOpen: 'Nothing needs a person at the moment.',
    incomplete: 'With a plus: counting ended there; there are at least so many.',
    flow: 'The flow of the day',
    noFlow: 'Nothing came in on this day.',
    money: 'Money that came in on the day',
    moneyLedger: 'Receipts in the books with the date of this day. What was taken back is left out.',
    moneyApplied:
      'Receipts that Ponte sent to the finance service on this day and that took effect, whatever their date. What was taken back is left out.',
    moneyCut: 'There were too many: not all are in these sums.',
    noMoney: 'No money came in on this day.',
    bySource: 'By source',
    byAccount: 'By account',
    byGateway: 'By gateway',
    source: 'Source',
    account: 'Account',
    gateway: 'Gateway',
    noSource: 'entered by hand, or without a source',
    noAccount: 'an account that Ponte has not seen',
    noGateway: 'entered by hand, or the shop names none',
    value: 'Amount',
    payments: 'Payments',
  },
  {
    title: 'Hoje',
    titleOf: (day: string) => `O dia ${day}`,
    day: 'Dia',
    before: 'Dia anterior',
    next: 'Dia seguinte',
    toToday: 'Hoje',
    received: 'Webhooks do dia',
    accepted: 'chegaram',
    applied: 'processados',
    waiting: 'esperam ser processados',
    waitingForRecord: 'esperam um registro',
    dead: 'precisam de alguém',
    ignored: 'não diziam respeito a regra alguma',
    discarded: 'descartados',
    lag: (duration: string) => `O webhook mais antigo espera há ${duration}.`,
    noLag: 'Nenhum webhook espera.',
    open: 'Em aberto agora, seja de que dia for',
    deadLetters: 'webhooks que não puderam ser processados',
    unknownEffects: 'chamadas cujo resultado não se conhece',
    attention: 'a ver',
    approvals: 'aprovações',
    deferred: 'a fazer em outro dia',
    nothingOpen: 'No momento nada precisa de alguém.',
    incomplete: 'Com sinal de mais: a contagem parou ali; há pelo menos isso.',
    flow: 'O movimento do dia',
    noFlow: 'Nada chegou neste dia.',
    money: 'Dinheiro que entrou no dia',
    moneyLedger: 'Recebimentos nos livros com a data deste dia. O que foi estornado não conta.',
    moneyApplied:
      'Recebimentos que o Ponte enviou ao serviço financeiro neste dia e que tiveram efeito, seja qual for a data. O que foi estornado não conta.',
    moneyCut: 'Foram demais: nem todos estão nestas somas.',
    noMoney: 'Nenhum dinheiro entrou neste dia.',
    bySource: 'Por origem',
    byAccount: 'Por conta',
    byGateway: 'Por gateway de pagamento',
    source: 'Origem',
    account: 'Conta',
    gateway: 'Gateway',
    noSource: 'lançado manualmente, ou sem origem',
    noAccount: 'uma conta que o Ponte ainda não viu',
    noGateway: 'lançado manualmente, ou não informado pela loja',
    value: 'Valor',
    payments: 'Pagamentos',
  },
);

/** Milliseconds from something that happens until the day is read again: many things happen together. */
const TOGETHER_MS = 5_000;

/** The day at a glance. */
export function Today() {
  const t = useTexts(T);
  const formats = useFormats();
  const path = useAdminPath();
  const { timeZone } = useOrganization();
  const filters = useFilters();
  const asked = isDay(filters.of('date')) ? filters.of('date') : '';
  const loaded = useLoaded<OverviewView>(path('overview'), { date: asked });
  const { value } = loaded;
  const shown = value?.date ?? (asked === '' ? today(timeZone) : asked);
  const isToday = shown === today(timeZone);
  useReloaded(loaded.reload, asked === '' || isToday);
  const live = useLiveState();
  // What is told is about the day that it is: another day's numbers come from its own page.
  const isOfShown = live?.date === shown;
  const go = (day: string | undefined): void => {
    if (day !== undefined) filters.set('date', day === today(timeZone) ? '' : day);
  };
  return (
    <>
      <Heading title={isToday ? t.title : t.titleOf(formats.day(shown))}>
        <Button onClick={() => go(dayAfter(shown, -1))}>{t.before}</Button>
        <Button onClick={() => go(dayAfter(shown, 1))} disabled={isToday}>
          {t.next}
        </Button>
        {!isToday && <Button onClick={() => filters.set('date', '')}>{t.toToday}</Button>}
      </Heading>
      <div class="filters">
        <DayFilter name="date" label={t.day} filters={{ of: () => shown, set: (_, day) => go(day) }} />
      </div>
      <WhenLoaded of={loaded}>
        {(overview) => (
          <>
            <Open
              open={live?.open ?? overview.open}
              lagSeconds={live === undefined ? overview.lagSeconds : live.lagSeconds}
            />
            <ReceivedTiles received={isOfShown ? live.received : overview.received} date={overview.date} />
            <Section title={t.flow}>
              {overview.flow.some(({ accepted }) => accepted > 0) ? (
                <FlowChart flow={overview.flow} />
              ) : (
                <Nothing>{t.noFlow}</Nothing>
              )}
            </Section>
            <MoneyOfDay overview={overview} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

/** Reads again some seconds after something has happened; nothing is asked while nothing happens. */
function useReloaded(reload: () => void, isFollowed: boolean): void {
  const [happened, setHappened] = useState(0);
  const [heard] = useState(() => {
    let [isDue, isFirst] = [false, true];
    return (event: string) => {
      // Whoever begins to listen is told how things are, which is read already.
      if (isFirst && event === 'state') {
        isFirst = false;
        return;
      }
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        setHappened((before) => before + 1);
      }, TOGETHER_MS);
    };
  });
  useLive(heard);
  useEffect(() => {
    if (happened > 0 && isFollowed) reload();
  }, [happened]);
}

function Tile({
  name,
  count,
  isExact,
  to,
  isBad = false,
}: {
  name: string;
  count: number;
  isExact: boolean;
  to: string;
  isBad?: boolean;
}) {
  const formats = useFormats();
  return (
    <li>
      <Link href={to} class={isBad && count > 0 ? 'tile bad' : 'tile'}>
        <strong>
          {formats.count(count)}
          {!isExact && count > 0 && '+'}
        </strong>{' '}
        <span>{name}</span>
      </Link>
    </li>
  );
}

function Open({ open, lagSeconds }: { open: OpenCountsView; lagSeconds: number | null }) {
  const t = useTexts(T);
  const formats = useFormats();
  const href = useHref();
  const { complete } = open;
  const kinds = ['deadLetters', 'attention', 'approvals', 'unknownEffects'] as const;
  return (
    <Section title={t.open}>
      {kinds.every((kind) => open[kind] === 0) && <p>{t.nothingOpen}</p>}
      <ul class="tiles">
        {kinds.map((kind) => (
          <Tile key={kind} name={t[kind]} count={open[kind]} isExact={complete} to={href('needs')} isBad />
        ))}
        <Tile
          name={t.deferred}
          count={open.deferred}
          isExact={complete}
          to={`${href('needs')}?deferred=waiting`}
        />
      </ul>
      <p class="hint">{lagSeconds === null ? t.noLag : t.lag(formats.duration(lagSeconds))}</p>
      {!complete && <p class="hint">{t.incomplete}</p>}
    </Section>
  );
}

const TILES = [
  ['accepted', ''],
  ['applied', 'state=done'],
  ['waiting', 'state=waiting'],
  ['waitingForRecord', 'state=dead&needsPerson=false'],
  ['dead', 'state=dead&needsPerson=true'],
  ['ignored', 'state=done'],
  ['discarded', 'state=discarded'],
] as const;

function ReceivedTiles({ received, date }: { received: ReceivedView; date: string }) {
  const t = useTexts(T);
  const href = useHref();
  const ofDay = `from=${date}&to=${date}`;
  return (
    <Section title={t.received}>
      <ul class="tiles">
        {TILES.map(([name, state]) => (
          <Tile
            key={name}
            name={t[name]}
            count={received[name]}
            isExact={received.complete}
            isBad={name === 'dead'}
            to={`${href('deliveries')}?${state === '' ? ofDay : `${state}&${ofDay}`}`}
          />
        ))}
      </ul>
      {!received.complete && <p class="hint">{t.incomplete}</p>}
    </Section>
  );
}

function MoneyOfDay({ overview: { date, money, currency } }: { overview: OverviewView }) {
  const t = useTexts(T);
  const href = useHref();
  const listOf = (name: string, value: string | null): string =>
    `${href('payments')}?date=${date}&${value === null ? `without${name}=true` : `${name.toLowerCase()}=${encodeURIComponent(value)}`}`;
  const { bySource, byAccount, byGateway } = money;
  return (
    <Section title={t.money}>
      {bySource.length + byAccount.length === 0 ? (
        <Nothing>{t.noMoney}</Nothing>
      ) : (
        <>
          <p class="hint">{money.books === 'ledger' ? t.moneyLedger : t.moneyApplied}</p>
          {!money.complete && <p class="hint">{t.moneyCut}</p>}
          <Sums
            {...{ title: t.bySource, of: t.source, currency }}
            rows={bySource.map((row) => ({
              ...{ ...row, id: row.source ?? '', name: row.source ?? t.noSource },
              to: listOf('Source', row.source),
            }))}
          />
          <Sums
            {...{ title: t.byAccount, of: t.account, currency }}
            rows={byAccount.map((row) => ({
              ...{ ...row, id: row.account.id, name: row.account.name ?? t.noAccount },
              to: listOf('Account', row.account.id),
            }))}
          />
          <Sums
            {...{ title: t.byGateway, of: t.gateway, currency }}
            rows={byGateway.map((row) => ({
              ...{ ...row, id: row.gateway ?? '', name: row.gateway ?? t.noGateway },
              to: listOf('Gateway', row.gateway),
            }))}
          />
        </>
      )}
    </Section>
  );
}

interface Sum {
  readonly id: string;
  readonly name: string;
  /** The list of what it is made of. */
  readonly to: string;
  readonly payments: number;
  /** Decimal text. */
  readonly value: string;
}

function Sums({
  title,
  of,
  currency,
  rows,
}: {
  title: string;
  of: string;
  currency: string;
  rows: readonly Sum[];
}) {
  const t = useTexts(T);
  const { count } = useFormats();
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: of, show: ({ name, to }) => <Link href={to}>{name}</Link> },
          { name: t.payments, isNumber: true, show: ({ payments }) => count(payments) },
          {
            name: t.value,
            isNumber: true,
            show: ({ value }) => <Money amount={value} currency={currency} />,
          },
        ]}
      />
    </>
  );
}
