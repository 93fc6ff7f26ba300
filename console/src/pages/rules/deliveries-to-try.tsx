import { useState } from 'preact/hooks';
import type { DeliveryView } from '../../../../src/admin/deliveries/deliveries.dto';
import type { SourceList } from '../../../../src/admin/sources/sources.dto';
import { ApiProblem, write } from '../../api';
import { useFormats } from '../../format';
import { asError, useLoaded, usePages } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { Button, Failure, Field, Listed } from '../../ui/basics';
import { Table } from '../../ui/table';
import { DeliveryState } from '../deliveries';

const T = texts(
  {
    caption: 'Webhooks, newest first',
    source: 'Source',
    all: 'All',
    search: 'Order',
    searchHint: 'Its number or its key',
    find: 'Find',
    clear: 'Show all again',
    received: 'Received',
    topic: 'Topic',
    about: 'About',
    state: 'State',
    choose: 'Choose',
    tryIt: 'Try',
    none: 'No webhook fits.',
    chosen: 'chosen',
  },
  {
    caption: 'Webhooks, os mais novos primeiro',
    source: 'Origem',
    all: 'Todas',
    search: 'Pedido',
    searchHint: 'O número ou a chave',
    find: 'Procurar',
    clear: 'Mostrar todos de novo',
    received: 'Recebido',
    topic: 'Assunto',
    about: 'Sobre',
    state: 'Estado',
    choose: 'Escolher',
    tryIt: 'Testar',
    none: 'Nenhum webhook corresponde.',
    chosen: 'escolhido',
  },
);

/** Few enough to be seen with what comes of them. */
const SHOWN = 10;

/** The newest webhooks, of which one is chosen. */
export function DeliveriesToTry({
  chosen,
  onChoose,
}: {
  chosen: string | undefined;
  onChoose: (delivery: DeliveryView) => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const { instant } = useFormats();
  const [source, setSource] = useState('');
  const [text, setText] = useState('');
  const [businessKey, setBusinessKey] = useState('');
  const [error, setError] = useState<Error>();
  const sources = useLoaded<SourceList>(path('sources')).value?.items ?? [];
  const list = usePages<DeliveryView>(path('deliveries'), { source, businessKey, limit: SHOWN });
  const find = async (): Promise<void> => {
    setError(undefined);
    try {
      setBusinessKey(text.trim() === '' ? '' : await keyOf(path('search'), text.trim()));
    } catch (failure) {
      setError(asError(failure));
    }
  };
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void find();
        }}
      >
        <Field label={t.source}>
          {(given) => (
            <select
              {...given}
              value={source}
              onChange={({ currentTarget }) => setSource(currentTarget.value)}
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
        <Field label={t.search} hint={t.searchHint}>
          {(given) => (
            <span class="setting">
              <input
                {...given}
                type="search"
                maxLength={200}
                autoComplete="off"
                value={text}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
              <button type="submit" class="button">
                {t.find}
              </button>
              {businessKey !== '' && (
                <Button
                  onClick={() => {
                    setText('');
                    setBusinessKey('');
                  }}
                >
                  {t.clear}
                </Button>
              )}
            </span>
          )}
        </Field>
      </form>
      {error && <Failure error={error} />}
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: t.received, show: ({ receivedAt }) => instant(String(receivedAt)) },
              { name: t.source, show: (row) => row.source },
              { name: t.topic, show: (row) => row.topic },
              { name: t.about, show: (row) => row.businessKey ?? '–' },
              { name: t.state, show: (row) => <DeliveryState state={row.state} /> },
              {
                name: t.choose,
                show: (row) => (
                  <Button
                    aria-pressed={row.id === chosen}
                    aria-label={`${row.id === chosen ? t.chosen : t.tryIt}: ${row.topic} ${row.businessKey ?? ''} ${instant(String(row.receivedAt))}`}
                    onClick={() => onChoose(row)}
                  >
                    {row.id === chosen ? t.chosen : t.tryIt}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

/** The business key of what a search finds first; where it finds nothing, what was searched for is taken as the key. */
async function keyOf(searchPath: string, text: string): Promise<string> {
  try {
    const { items } = await write<{ items: readonly { businessKey: string | null }[] }>('POST', searchPath, {
      text,
    });
    return items.find(({ businessKey }) => businessKey !== null)?.businessKey ?? text;
  } catch (failure) {
    if (failure instanceof ApiProblem && failure.problem.status === 404) return text;
    throw failure;
  }
}
