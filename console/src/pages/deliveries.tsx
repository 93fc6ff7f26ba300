import { useEffect } from 'preact/hooks';
import type { DeliveryView } from '../../../src/admin/deliveries/deliveries.dto';
import type { SourceList } from '../../../src/admin/sources/sources.dto';
import { spanOf } from '../days';
import { ChoiceFilter, DayFilter, TextFilter, useFilters } from '../filters';
import { useLiveRound } from '../live';
import { useLoaded, usePages } from '../loaded';
import { useAdminPath, useHref, useOrganization } from '../session';
import { texts, useTexts } from '../texts';
import { Badge, Heading, Instant, Listed, type Tone } from '../ui/basics';
import { Table } from '../ui/table';

const T = texts(
  {
    title: 'Webhooks',
    caption: 'Webhooks, newest first',
    received: 'Received',
    source: 'Source',
    topic: 'Topic',
    about: 'About',
    state: 'State',
    result: 'What came of it',
    anyState: 'All',
    anySource: 'All',
    from: 'Received from',
    to: 'Received until',
    who: 'Needs a person',
    anyWho: 'Whether or not',
    person: 'needs a person',
    record: 'only waits for a record',
    letters: 'could not be worked on',
    waitsForRecord: 'waits for a record',
    waiting: 'waiting',
    done: 'done',
    dead: 'needs a person',
    discarded: 'given up',
    none: 'No webhook fits.',
  },
  {
    title: 'Webhooks',
    caption: 'Webhooks, os mais novos primeiro',
    received: 'Recebido',
    source: 'Origem',
    topic: 'Assunto',
    about: 'Sobre',
    state: 'Estado',
    result: 'O que resultou',
    anyState: 'Todos',
    anySource: 'Todas',
    from: 'Recebido de',
    to: 'Recebido até',
    who: 'Precisa de alguém',
    anyWho: 'Tanto faz',
    person: 'precisa de alguém',
    record: 'só espera um registro',
    letters: 'não pôde ser processado',
    waitsForRecord: 'espera um registro',
    waiting: 'em espera',
    done: 'concluído',
    dead: 'precisa de alguém',
    discarded: 'descartado',
    none: 'Nenhum webhook corresponde.',
  },
);

const STATES = ['waiting', 'done', 'dead', 'discarded'] as const;
const TONES: Readonly<Record<string, Tone>> = {
  waiting: 'warn',
  done: 'good',
  dead: 'bad',
  discarded: 'quiet',
};

/** @param needsPerson of one that is dead: false where it only waits for a record */
export function DeliveryState({ state, needsPerson = true }: { state: string; needsPerson?: boolean }) {
  const t = useTexts(T);
  if (state === 'dead' && !needsPerson) return <Badge tone="warn">{t.waitsForRecord}</Badge>;
  const known = STATES.find((name) => name === state);
  return <Badge tone={TONES[state] ?? 'plain'}>{known ? t[known] : state}</Badge>;
}

/** What came in, newest first. */
export function Deliveries() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const { timeZone } = useOrganization();
  const filters = useFilters();
  const sources = useLoaded<SourceList>(path('sources'));
  const state = filters.of('state');
  // What is asked of dead letters is nothing that another delivery has.
  const isOfLetters = state === '' || state === 'dead';
  const list = usePages<DeliveryView>(path('deliveries'), {
    state,
    source: filters.of('source'),
    topic: filters.of('topic'),
    businessKey: filters.of('businessKey'),
    ...spanOf(filters.of('from'), filters.of('to'), timeZone),
    needsPerson: isOfLetters ? filters.of('needsPerson') : '',
  });
  const { reload } = list;
  const round = useLiveRound();
  useEffect(() => {
    if (round > 0) reload();
  }, [round]);
  return (
    <>
      <Heading title={t.title} />
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <ChoiceFilter
          name="state"
          label={t.state}
          filters={filters}
          any={t.anyState}
          choices={STATES.map((name) => [name, name === 'dead' ? t.letters : t[name]] as const)}
        />
        {isOfLetters && (
          <ChoiceFilter
            name="needsPerson"
            label={t.who}
            filters={filters}
            any={t.anyWho}
            choices={[
              ['true', t.person],
              ['false', t.record],
            ]}
          />
        )}
        <ChoiceFilter
          name="source"
          label={t.source}
          filters={filters}
          any={t.anySource}
          choices={(sources.value?.items ?? []).map(({ slug }) => [slug, slug] as const)}
        />
        <TextFilter name="topic" label={t.topic} filters={filters} />
        <TextFilter name="businessKey" label={t.about} filters={filters} />
        <DayFilter name="from" label={t.from} filters={filters} />
        <DayFilter name="to" label={t.to} filters={filters} />
      </form>
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => href('deliveries', id)}
            columns={[
              { name: t.received, show: ({ receivedAt }) => <Instant at={receivedAt} /> },
              { name: t.source, show: (row) => row.source },
              { name: t.topic, show: (row) => row.topic },
              { name: t.about, show: ({ businessKey }) => businessKey ?? '–' },
              {
                name: t.state,
                show: (row) => <DeliveryState state={row.state} needsPerson={row.needsPerson} />,
              },
              { name: t.result, show: ({ reason, outcome }) => reason ?? outcome ?? '' },
            ]}
          />
        )}
      </Listed>
    </>
  );
}
