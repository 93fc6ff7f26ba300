import { Link } from 'wouter-preact';
import type { ProviderView } from '../../../src/admin/sources/providers.dto';
import type { SourceView } from '../../../src/admin/sources/sources.dto';
import { type Loaded, useLoaded } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Heading, Instant, Nothing, WhenLoaded } from '../ui/basics';
import { useFormats } from '../format';
import { Table } from '../ui/table';
import { SourceState } from './source-status';
import './sources.css';

const T = texts(
  {
    title: 'Sources',
    connect: 'Connect a shop',
    caption: 'Sources, newest first',
    source: 'Source',
    provider: 'Provider',
    state: 'State',
    seen: 'Newest webhook',
    refused: 'Last refused',
    waiting: 'Waiting',
    dead: 'Need a person',
    none: 'No shop is connected yet. Connect one: its webhooks are then booked by the rules.',
  },
  {
    title: 'Origens',
    connect: 'Conectar uma loja',
    caption: 'Origens, as mais novas primeiro',
    source: 'Origem',
    provider: 'Provedor',
    state: 'Estado',
    seen: 'Webhook mais novo',
    refused: 'Última recusa',
    waiting: 'Em espera',
    dead: 'Precisam de alguém',
    none: 'Nenhuma loja está conectada ainda. Conecte uma: os webhooks dela são então lançados pelas regras.',
  },
);

/** What can be connected. */
export function useProviders(): Loaded<{ items: ProviderView[] }> {
  const path = useAdminPath();
  return useLoaded(path('providers'));
}

/** Where webhooks come from, and how each is doing. */
export function Sources() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const { count } = useFormats();
  const sources = useLoaded<{ items: SourceView[] }>(path('sources'));
  const providers = useProviders();
  const titleOf = (id: string): string =>
    providers.value?.items.find((provider) => provider.id === id)?.title ?? id;
  return (
    <>
      <Heading title={t.title}>
        <Link class="button main" href={href('sources', 'new')}>
          {t.connect}
        </Link>
      </Heading>
      <WhenLoaded of={sources}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>{t.none}</Nothing>
          ) : (
            <Table
              caption={t.caption}
              rows={items}
              keyOf={({ id }) => id}
              hrefOf={({ slug }) => href('sources', slug)}
              columns={[
                {
                  name: t.source,
                  show: ({ slug }) => <Link href={href('sources', slug)}>{slug}</Link>,
                },
                { name: t.provider, show: ({ provider }) => titleOf(provider) },
                { name: t.state, show: (source) => <SourceState source={source} /> },
                { name: t.seen, show: ({ status }) => <Instant at={status.lastReceivedAt} /> },
                { name: t.refused, show: ({ status }) => <Instant at={status.lastRefusedAt} /> },
                { name: t.waiting, isNumber: true, show: ({ status }) => count(status.waiting) },
                { name: t.dead, isNumber: true, show: ({ status }) => count(status.dead) },
              ]}
            />
          )
        }
      </WhenLoaded>
    </>
  );
}
