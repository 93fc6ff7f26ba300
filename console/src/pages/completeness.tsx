import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import type {
  AspectTotalsView,
  CompletenessView,
  DifferenceView,
  DifferingEntityView,
  TallyView,
} from '../../../src/admin/completeness/completeness.dto';
import type { SourceList } from '../../../src/admin/sources/sources.dto';
import { isDay, monthAfter, monthSpan, today } from '../days';
import { ChoiceFilter, DayFilter, useFilters } from '../filters';
import { useFormats } from '../format';
import { type LoadedPages, useLoaded, usePages } from '../loaded';
import { usePreferences } from '../preferences';
import { useAdminPath, useHref, useOrganization } from '../session';
import { texts, useTexts } from '../texts';
import {
  Fact,
  Badge,
  Day,
  Failure,
  Field,
  Heading,
  Instant,
  Loading,
  Money,
  More,
  Nothing,
  Section,
} from '../ui/basics';
import { Table } from '../ui/table';
import { ListState, Unattached } from './completeness/arrivals';
import { Progress, Repair } from './completeness/repair';
import { APART_NAMES, ASPECT_NAMES, CODES, KIND_NAMES } from './completeness/words';
import { DeliveryActs } from './delivery';
import './completeness/completeness.css';

const T = texts(
  {
    title: 'Completeness',
    explains: 'What the shop says of a period, and what is in the books, order by order.',
    source: 'Source',
    month: 'Month',
    otherPeriod: 'Another period',
    from: 'From',
    to: 'To',
    noSource: 'There is no source to be compared.',
    noPeriod: 'Choose the first and the last day, 92 days at most.',
    comparing: 'Comparing order by order…',
    asOf: 'Compared',
    agrees: 'Everything agrees.',
    knownAgrees:
      'All that is known agrees. Whether orders are missing is not known: see the list of the shop below.',
    nothingKnown: 'Nothing is known of this period.',
    differs: (differing: string) => `With a difference: ${differing}.`,
    compared: (all: string) => `Orders, payouts, chargebacks and bills: ${all}.`,
    sideBySide: 'Side by side',
    of: 'Of what',
    shop: 'The shop says',
    booked: 'Ponte booked',
    inBooks: 'In the books now',
    later: 'On a later day',
    difference: 'Difference',
    times: (count: string) => `${count} ×`,
    observed: '“In the books now” is what Ponte booked: the finance service is not asked for each order.',
    otherCurrency: (count: string) => `${count} are in another currency: their amounts are not compared.`,
    tests: (count: string) => `${count} are tests, which are in no sum of the shop.`,
    knownSince: 'Orders of which nothing was worked on since then are not in this report:',
    apart: 'Why sums differ where nothing is wrong',
    why: 'Why',
    count: 'How many',
    value: 'Amount',
    differences: 'Differences',
    noDifferences: 'There is no difference.',
    expected: 'It has to be',
    found: 'It is',
    total: 'Order total',
    paid: 'Paid',
    refunded: 'Given back',
    fees: 'Fees',
    test: 'test',
    openDelivery: 'Open the webhook',
    decide: 'Decide',
    reason: 'Reason',
  },
  {
    title: 'Conciliação',
    explains: 'O que a loja diz de um período e o que está nos livros, pedido a pedido.',
    source: 'Origem',
    month: 'Mês',
    otherPeriod: 'Outro período',
    from: 'De',
    to: 'Até',
    noSource: 'Não há origem a conciliar.',
    noPeriod: 'Escolha o primeiro e o último dia, no máximo 92 dias.',
    comparing: 'Comparando pedido a pedido…',
    asOf: 'Comparado em',
    agrees: 'Tudo confere.',
    knownAgrees:
      'Tudo o que é conhecido confere. Não se sabe se faltam pedidos: veja abaixo a lista da loja.',
    nothingKnown: 'Nada é conhecido deste período.',
    differs: (differing: string) => `Com diferença: ${differing}.`,
    compared: (all: string) => `Pedidos, repasses, chargebacks e contas: ${all}.`,
    sideBySide: 'Lado a lado',
    of: 'De quê',
    shop: 'A loja diz',
    booked: 'O Ponte lançou',
    inBooks: 'Nos livros agora',
    later: 'Em dia posterior',
    difference: 'Diferença',
    times: (count: string) => `${count} ×`,
    observed: '“Nos livros agora” é o que o Ponte lançou: o serviço financeiro não é consultado por pedido.',
    otherCurrency: (count: string) => `${count} estão em outra moeda: os valores não são comparados.`,
    tests: (count: string) => `${count} são testes, que não entram nas somas da loja.`,
    knownSince: 'Pedidos dos quais nada foi processado desde então não estão neste relatório:',
    apart: 'Por que as somas diferem sem que haja erro',
    why: 'Por quê',
    count: 'Quantos',
    value: 'Valor',
    differences: 'Diferenças',
    noDifferences: 'Não há diferença.',
    expected: 'Deve ser',
    found: 'É',
    total: 'Total do pedido',
    paid: 'Pago',
    refunded: 'Devolvido',
    fees: 'Tarifas',
    test: 'teste',
    openDelivery: 'Abrir o webhook',
    decide: 'Decidir',
    reason: 'Motivo',
  },
);

/** Months that can be chosen by name, the one of today first. */
const MONTHS = 14;
/** What differs on a page: each page has the whole period compared again. */
const LISTED = 200;

/** Whether all that a shop sold is in the books. */
export function Completeness() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { timeZone } = useOrganization();
  const filters = useFilters();
  const sources = useLoaded<SourceList>(path('sources'));
  const current = monthSpan(today(timeZone).slice(0, 7));
  const source = filters.of('source') || (sources.value?.items[0]?.slug ?? '');
  const from = filters.of('from') || (current?.from ?? '');
  const to = filters.of('to') || (current?.to ?? '');
  const isAsked = source !== '' && isDay(from) && isDay(to) && from <= to;
  const question = { source, from, to };
  const report = usePages<DifferingEntityView, CompletenessView>(
    ...([isAsked ? path('completeness') : undefined, { ...question, limit: LISTED }] as const),
    path('completeness', 'differing'),
  );
  const address = JSON.stringify(question);
  const [repaired, setRepaired] = useState<{ of: string; repair: string }>();
  const { first, error, isLoading, reload } = report;
  return (
    <>
      <Heading title={t.title}>
        {first && (first.repairable > 0 || first.list.repair !== null) && (
          <Repair
            key={address}
            of={question}
            onDone={(repair) => (repair === null ? reload() : setRepaired({ of: address, repair }))}
          />
        )}
      </Heading>
      <p class="hint">{t.explains}</p>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <ChoiceFilter
          name="source"
          label={t.source}
          filters={{ ...filters, of: () => source }}
          choices={(sources.value?.items ?? []).map(({ slug }) => [slug, slug] as const)}
        />
        <ChooseMonth from={from} to={to} />
        <DayFilter name="from" label={t.from} filters={{ ...filters, of: () => from }} />
        <DayFilter name="to" label={t.to} filters={{ ...filters, of: () => to }} />
      </form>
      {sources.isLoading && <Loading />}
      {sources.error && <Failure error={sources.error} again={sources.reload} />}
      {sources.value?.items.length === 0 && <Nothing>{t.noSource}</Nothing>}
      {source !== '' && !isAsked && <Nothing>{t.noPeriod}</Nothing>}
      {repaired?.of === address && <Progress key={repaired.repair} repair={repaired.repair} onEnd={reload} />}
      {error && <Failure error={error} again={reload} />}
      {isLoading && (
        <p class="loading" role="status">
          {t.comparing}
        </p>
      )}
      {first && <Report report={first} pages={report} />}
    </>
  );
}

function ChooseMonth({ from, to }: { from: string; to: string }) {
  const t = useTexts(T);
  const { timeZone } = useOrganization();
  const { language } = usePreferences();
  const [, setSearch] = useSearchParams();
  const months = Array.from({ length: MONTHS }, (_, index) => monthAfter(today(timeZone), -index));
  const chosen = months.find((month) => {
    const span = monthSpan(month);
    return span?.from === from && span.to === to;
  });
  const nameOf = (month: string): string =>
    new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${month}-01T00:00:00Z`),
    );
  return (
    <Field label={t.month}>
      {(given) => (
        <select
          {...given}
          value={chosen ?? ''}
          onChange={({ currentTarget }) => {
            const span = monthSpan(currentTarget.value);
            if (span)
              setSearch(
                (before) => {
                  before.set('from', span.from);
                  before.set('to', span.to);
                  return before;
                },
                { replace: true },
              );
          }}
        >
          <option value="" disabled={chosen !== undefined}>
            {t.otherPeriod}
          </option>
          {months.map((month) => (
            <option key={month} value={month}>
              {nameOf(month)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Report({
  report,
  pages,
}: {
  report: CompletenessView;
  pages: LoadedPages<DifferingEntityView, CompletenessView>;
}) {
  const t = useTexts(T);
  const { count } = useFormats();
  const { language } = usePreferences();
  const { entities, currency, unattached, differences } = report;
  const { items = [], reload } = pages;
  return (
    <>
      <Verdict report={report} />
      <Section title={t.sideBySide}>
        <Totals totals={report.totals} currency={currency} />
        {report.books === 'observed' && <p class="hint">{t.observed}</p>}
        {entities.tests > 0 && <p class="hint">{t.tests(count(entities.tests))}</p>}
        {entities.otherCurrency > 0 && <p class="hint">{t.otherCurrency(count(entities.otherCurrency))}</p>}
        {report.knownSince !== null && (
          <p class="hint">
            {t.knownSince} <Instant at={report.knownSince} />
          </p>
        )}
      </Section>
      {report.apart.length > 0 && (
        <Section title={t.apart}>
          <Table
            caption={t.apart}
            rows={report.apart}
            keyOf={({ why }) => why}
            columns={[
              { name: t.why, show: ({ why }) => APART_NAMES[language][why] },
              { name: t.count, isNumber: true, show: (row) => count(row.count) },
              {
                name: t.value,
                isNumber: true,
                show: ({ value }) => <Money amount={value} currency={currency} />,
              },
            ]}
          />
        </Section>
      )}
      <Section title={t.differences}>
        {differences === 0 && <Nothing>{t.noDifferences}</Nothing>}
        {report.codes.length > 0 && (
          <ul>
            {report.codes.map((row) => (
              <li key={row.code}>
                <strong>{count(row.count)} ×</strong> {CODES[language][row.code][0]}
              </li>
            ))}
          </ul>
        )}
        <ul class="entities">
          {items.map((entity) => (
            <Entity key={entity.businessKey} entity={entity} currency={currency} onDone={reload} />
          ))}
        </ul>
        <More of={pages} />
      </Section>
      <ListState report={report} />
      {unattached.length > 0 && <Unattached unattached={unattached} />}
    </>
  );
}

/** What the comparison came to. It agrees only as far as all is known that the shop has. */
function Verdict({
  report: { differences, entities, list, unattached, asOf },
}: {
  report: CompletenessView;
}) {
  const t = useTexts(T);
  const { count } = useFormats();
  const compared = entities.orders + entities.payouts + entities.disputes + entities.bills;
  const isWhole = list.isWhole && unattached.length === 0;
  const [tone, says] =
    differences > 0
      ? ['bad', t.differs(count(entities.differing))]
      : isWhole
        ? ['good', t.agrees]
        : compared > 0
          ? ['plain', t.knownAgrees]
          : ['plain', t.nothingKnown];
  return (
    <p class={`verdict ${tone}`}>
      <strong>{says}</strong> {t.compared(count(compared))}{' '}
      <span>
        {t.asOf} <Instant at={asOf} />
      </span>
    </p>
  );
}

function Totals({ totals, currency }: { totals: readonly AspectTotalsView[]; currency: string }) {
  const t = useTexts(T);
  const { count } = useFormats();
  const { language } = usePreferences();
  const tally = (of: TallyView): ComponentChildren => (
    <>
      <Money amount={of.value} currency={currency} />
      <br />
      <span class="quiet">{t.times(count(of.count))}</span>
    </>
  );
  return (
    <Table
      caption={t.sideBySide}
      rows={totals}
      keyOf={({ aspect }) => aspect}
      columns={[
        { name: t.of, show: ({ aspect }) => ASPECT_NAMES[language][aspect] },
        { name: t.shop, isNumber: true, show: ({ shop }) => tally(shop) },
        { name: t.booked, isNumber: true, show: ({ booked }) => tally(booked) },
        { name: t.inBooks, isNumber: true, show: ({ inBooks }) => tally(inBooks) },
        { name: t.later, isNumber: true, show: ({ later }) => tally(later) },
        {
          name: t.difference,
          isNumber: true,
          show: ({ difference }) => <Money amount={difference} currency={currency} />,
        },
      ]}
    />
  );
}

function Entity({
  entity,
  currency,
  onDone,
}: {
  entity: DifferingEntityView;
  /** Of the differences. */
  currency: string;
  onDone: () => void;
}) {
  const t = useTexts(T);
  const href = useHref();
  const { language } = usePreferences();
  const { businessKey } = entity;
  return (
    <li class="entity">
      <h3>
        {KIND_NAMES[language][entity.kind]}{' '}
        <Link href={`${href('orders')}?key=${encodeURIComponent(businessKey)}`}>{businessKey}</Link> ·{' '}
        <Day day={entity.day} /> {entity.test && <Badge tone="quiet">{t.test}</Badge>}
      </h3>
      <dl class="facts">
        {(['total', 'paid', 'refunded', 'fees'] as const).map((name) => (
          <Fact key={name} name={t[name]}>
            <Money amount={entity[name]} currency={entity.currency} />
          </Fact>
        ))}
      </dl>
      <ul>
        {entity.differences.map((difference, index) => (
          <li key={index}>
            <Difference difference={difference} currency={currency} onDone={onDone} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function Difference({
  difference,
  currency,
  onDone,
}: {
  difference: DifferenceView;
  currency: string;
  onDone: () => void;
}) {
  const t = useTexts(T);
  const { language } = usePreferences();
  const { code, aspect, expected, found, cause } = difference;
  const [is, toDo] = CODES[language][code];
  return (
    <>
      <p>
        {aspect !== null && <strong>{ASPECT_NAMES[language][aspect]}: </strong>}
        {is} {toDo}
      </p>
      <p class="hint">
        {t.reason}: {cause}
      </p>
      {(expected !== null || found !== null) && (
        <p>
          {t.expected} <Money amount={expected} currency={currency} />; {t.found.toLowerCase()}{' '}
          <Money amount={found} currency={currency} />
        </p>
      )}
      <p class="actions">
        <RepairOf difference={difference} onDone={onDone} />
      </p>
    </>
  );
}

/** What repairs a difference, or leads to where it is decided; nothing where that is done by hand, in the books. */
function RepairOf({ difference, onDone }: { difference: DifferenceView; onDone: () => void }) {
  const t = useTexts(T);
  const href = useHref();
  const { code, delivery } = difference;
  const openIt = delivery !== null && <Link href={href('deliveries', delivery)}>{t.openDelivery}</Link>;
  switch (code) {
    case 'dead-letter':
    case 'missing':
      return (
        <>
          {delivery !== null && (
            <DeliveryActs
              delivery={{ id: delivery, state: code === 'missing' ? 'done' : 'dead' }}
              onDone={onDone}
            />
          )}
          {openIt}
        </>
      );
    case 'approval-pending':
    case 'outcome-unknown':
    case 'left-over':
      return (
        <>
          <Link href={href('needs')}>{t.decide}</Link>
          {openIt}
        </>
      );
    default:
      return <>{openIt}</>;
  }
}
