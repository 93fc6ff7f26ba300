import { useEffect, useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import type { ProviderView } from '../../../src/admin/sources/providers.dto';
import type { SourceView } from '../../../src/admin/sources/sources.dto';
import { write } from '../api';
import { useLiveRound } from '../live';
import { useLoaded } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Act } from '../ui/act';
import { Heading, Section, WhenLoaded } from '../ui/basics';
import { Copyable } from '../ui/copyable';
import { Arrivals } from './arrivals';
import { SettingFields, settingsOf, valuesOf } from './setting-fields';
import { Hooks } from './source-hooks';
import { Import } from './source-import';
import { Credentials, Secrets } from './source-secrets';
import { SourceSentences } from './source-status';
import './sources.css';

const T = texts(
  {
    title: (slug: string) => `Source ${slug}`,
    how: 'How it is doing',
    provider: 'Provider',
    pause: 'Pause',
    pauseTitle: 'Pause this source',
    pauseSays:
      'Nothing is received until it is resumed: the shop is told to send again later. Some shops try for a few hours only, or switch the webhook off. What was received is still worked on.',
    paused: 'The source is paused.',
    resume: 'Resume',
    resumeTitle: 'Resume this source',
    resumeSays: 'Webhooks are received again. Look afterwards whether orders of the pause are missing.',
    resumed: 'The source receives again.',
    address: 'Address for webhooks',
    addressSays: 'The shop sends its webhooks there.',
    addressSecret: 'In place of {secret} stands a secret of this source: the provider cannot sign.',
    steps: 'Steps to set it up at the provider',
    settings: 'Settings',
    change: 'Change the settings',
    changed: 'The settings were changed.',
    newest: 'Newest webhooks',
    all: 'All webhooks of this source',
  },
  {
    title: (slug: string) => `Origem ${slug}`,
    how: 'Como ela está',
    provider: 'Provedor',
    pause: 'Pausar',
    pauseTitle: 'Pausar esta origem',
    pauseSays:
      'Nada é recebido até que seja retomada: a loja é avisada para enviar de novo mais tarde. Algumas lojas tentam só por algumas horas, ou desligam o webhook. O que foi recebido ainda é processado.',
    paused: 'A origem está pausada.',
    resume: 'Retomar',
    resumeTitle: 'Retomar esta origem',
    resumeSays: 'Os webhooks voltam a ser recebidos. Veja depois se faltam pedidos do tempo da pausa.',
    resumed: 'A origem recebe de novo.',
    address: 'Endereço para os webhooks',
    addressSays: 'A loja envia os webhooks para lá.',
    addressSecret: 'No lugar de {secret} fica um segredo desta origem: o provedor não sabe assinar.',
    steps: 'Passos para configurar no provedor',
    settings: 'Configurações',
    change: 'Mudar as configurações',
    changed: 'As configurações foram mudadas.',
    newest: 'Webhooks mais novos',
    all: 'Todos os webhooks desta origem',
  },
);

/** Seconds between two looks at the newest webhooks, beside those that are told of live. */
const LOOK_SECONDS = 30;

/** One source: how it is doing, and all that can be done about it. */
export function Source() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { slug = '' } = useParams();
  const source = useLoaded<SourceView>(path('sources', slug));
  const provider = useLoaded<ProviderView>(source.value && path('providers', source.value.provider));
  const round = useLiveRound();
  useEffect(() => {
    if (round > 0) source.reload();
  }, [round]);
  return (
    <>
      <Heading title={t.title(slug)}>
        {source.value && <PauseOrResume source={source.value} onDone={source.reload} />}
      </Heading>
      <WhenLoaded of={source}>
        {(value) => (
          <WhenLoaded of={provider}>
            {(known) => <Shown source={value} provider={known} onDone={source.reload} />}
          </WhenLoaded>
        )}
      </WhenLoaded>
    </>
  );
}

interface Given {
  source: SourceView;
  provider: ProviderView;
  onDone: () => void;
}

function Shown({ source, provider, onDone }: Given) {
  const t = useTexts(T);
  const href = useHref();
  const { slug, webhookUrl } = source;
  return (
    <>
      <Section title={t.how}>
        <p>
          {t.provider}: {provider.title}
        </p>
        <SourceSentences source={source} />
      </Section>
      <Section title={t.address}>
        <p>{t.addressSays}</p>
        <Copyable text={webhookUrl} name={t.address} />
        {webhookUrl.includes('{secret}') && <p>{t.addressSecret}</p>}
        <SetUp provider={provider} />
      </Section>
      <Section title={t.newest}>
        <Arrivals slug={slug} seconds={LOOK_SECONDS} />
        <p>
          <Link href={`${href('deliveries')}?source=${encodeURIComponent(slug)}`}>{t.all}</Link>
        </p>
      </Section>
      <Secrets source={source} onDone={onDone} />
      <Credentials source={source} provider={provider} onDone={onDone} />
      <SourceSettings source={source} provider={provider} onDone={onDone} />
      {provider.registersWebhooks && <Hooks slug={slug} onDone={onDone} />}
      <Import slug={slug} onDone={onDone} />
    </>
  );
}

/** What a person has to do at the provider, as Ponte describes it: in English. */
export function SetUp({ provider: { setUp }, isOpen = false }: { provider: ProviderView; isOpen?: boolean }) {
  const t = useTexts(T);
  return (
    <details open={isOpen}>
      <summary>{t.steps}</summary>
      <ol class="steps" lang="en">
        {setUp.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  );
}

function PauseOrResume({ source: { slug, paused }, onDone }: { source: SourceView; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const act = (what: string) => (reason: string) => write('POST', path('sources', slug, what), { reason });
  return paused ? (
    <Act
      key="resume"
      label={t.resume}
      title={t.resumeTitle}
      kind="main"
      done={t.resumed}
      act={act('resume')}
      onDone={onDone}
    >
      <p>{t.resumeSays}</p>
    </Act>
  ) : (
    <Act
      key="pause"
      label={t.pause}
      title={t.pauseTitle}
      kind="danger"
      done={t.paused}
      act={act('pause')}
      onDone={onDone}
    >
      <p>{t.pauseSays}</p>
    </Act>
  );
}

function SourceSettings({ source: { slug, settings }, provider, onDone }: Given) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [values, setValues] = useState(() => valuesOf(provider, settings));
  const [error, setError] = useState<Error>();
  const change = async (reason: string): Promise<void> => {
    setError(undefined);
    try {
      await write('PATCH', path('sources', slug), { settings: settingsOf(provider, values), reason });
    } catch (failure) {
      setError(failure instanceof Error ? failure : undefined);
      throw failure;
    }
  };
  return (
    <Section title={t.settings}>
      <div class="wide">
        <SettingFields {...{ provider, values, error }} onChange={setValues} />
      </div>
      <Act label={t.change} kind="main" done={t.changed} act={change} onDone={onDone} />
    </Section>
  );
}
