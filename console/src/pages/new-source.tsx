import { useEffect, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import type { ProviderView } from '../../../src/admin/sources/providers.dto';
import type { SourceView } from '../../../src/admin/sources/sources.dto';
import { write } from '../api';
import { asError, useLoaded } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Failure, Field, Heading, Section, WhenLoaded } from '../ui/basics';
import { Copyable } from '../ui/copyable';
import { Arrivals } from './arrivals';
import { errorAt, SettingFields, settingsOf, valuesOf } from './setting-fields';
import { SetUp } from './source';
import { AddSecret, Credentials } from './source-secrets';
import { useProviders } from './sources';
import './sources.css';

const T = texts(
  {
    title: 'Connect a shop',
    choose: '1. What do you connect?',
    provider: 'Shop, gateway or system',
    next: 'Go on',
    make: (title: string) => `2. Describe it: ${title}`,
    another: 'Choose another provider',
    name: 'Short name',
    nameHint:
      'Lower-case letters, digits and hyphens, such as my-shop. It is part of the address and never changes.',
    secret: 'Secret of its webhooks',
    secretHint:
      'What the shop signs its webhooks with. Where it is shown only once the shop knows the address, leave it empty and add it in the next step.',
    settings: 'Settings',
    reason: 'Why you do it',
    reasonHint: 'It stands in the audit log, with your key.',
    create: 'Make the source',
    address: '3. Set it up at the shop',
    addressName: 'Address for webhooks',
    addressSays: 'Enter this address at the shop, where its webhooks are set up:',
    addressSecret: 'In place of {secret} stands the secret: the provider cannot sign.',
    secretPlace: 'The secret',
    hasSecret: 'The secret is stored here. It has to be the same at the shop.',
    needsSecret: 'There is no secret yet: until there is one, every webhook is refused.',
    test: '4. Send a test webhook from the shop',
    testSays: 'It is shown here as it arrives, with what came of it. If it is refused, it says why.',
    finish: 'To the page of the source',
  },
  {
    title: 'Conectar uma loja',
    choose: '1. O que você conecta?',
    provider: 'Loja, gateway ou sistema',
    next: 'Continuar',
    make: (title: string) => `2. Descreva: ${title}`,
    another: 'Escolher outro provedor',
    name: 'Nome curto',
    nameHint: 'Letras minúsculas, algarismos e hifens, como minha-loja. Faz parte do endereço e nunca muda.',
    secret: 'Segredo dos webhooks',
    secretHint:
      'Com ele a loja assina os webhooks. Se ela só o mostra depois de conhecer o endereço, deixe vazio e adicione no próximo passo.',
    settings: 'Configurações',
    reason: 'Por que você faz isto',
    reasonHint: 'Fica no registro de auditoria, com a sua chave.',
    create: 'Criar a origem',
    address: '3. Configure na loja',
    addressName: 'Endereço para os webhooks',
    addressSays: 'Informe este endereço na loja, onde os webhooks são configurados:',
    addressSecret: 'No lugar de {secret} fica o segredo: o provedor não sabe assinar.',
    secretPlace: 'O segredo',
    hasSecret: 'O segredo está guardado aqui. Na loja tem de ser o mesmo.',
    needsSecret: 'Ainda não há segredo: até que haja um, todos os webhooks são recusados.',
    test: '4. Envie um webhook de teste da loja',
    testSays: 'Ele aparece aqui assim que chegar, com o que resultou. Se for recusado, diz por quê.',
    finish: 'Para a página da origem',
  },
);

/**
 * Connects a shop step by step. How far somebody is stands in the address (`provider`, then `made`), so that reading the page again,
 * or going back, loses nothing that was made.
 */
export function NewSource() {
  const t = useTexts(T);
  const [search, setSearch] = useSearchParams();
  const providers = useProviders();
  const [chosen, made] = [search.get('provider'), search.get('made')];
  return (
    <>
      <Heading title={t.title} />
      {made === null ? (
        <WhenLoaded of={providers}>
          {({ items }) => {
            const provider = items.find(({ id }) => id === chosen);
            return provider ? (
              <Describe
                key={provider.id}
                provider={provider}
                onBack={() => setSearch({})}
                onMade={(slug) => setSearch({ made: slug })}
              />
            ) : (
              <Choose providers={items} onChosen={(id) => setSearch({ provider: id })} />
            );
          }}
        </WhenLoaded>
      ) : (
        <TryOut slug={made} />
      )}
    </>
  );
}

function Choose({
  providers,
  onChosen,
}: {
  providers: readonly ProviderView[];
  onChosen: (id: string) => void;
}) {
  const t = useTexts(T);
  const [id, setId] = useState('');
  return (
    <Section title={t.choose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (id !== '') onChosen(id);
        }}
      >
        <fieldset class="choices">
          <legend>{t.provider}</legend>
          {[...providers]
            .sort((one, other) => one.title.localeCompare(other.title))
            .map((provider) => (
              <label key={provider.id}>
                <input
                  type="radio"
                  name="provider"
                  value={provider.id}
                  required
                  checked={provider.id === id}
                  onChange={() => setId(provider.id)}
                />
                {provider.title}
              </label>
            ))}
        </fieldset>
        <p>
          <button type="submit" class="button main">
            {t.next}
          </button>
        </p>
      </form>
    </Section>
  );
}

function Describe({
  provider,
  onBack,
  onMade,
}: {
  provider: ProviderView;
  onBack: () => void;
  onMade: (slug: string) => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [slug, setSlug] = useState('');
  const [secret, setSecret] = useState('');
  const [reason, setReason] = useState('');
  const [values, setValues] = useState(() => valuesOf(provider, {}));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const make = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const { slug: made } = await write<SourceView>('POST', path('sources'), {
        ...{ slug: slug.trim(), provider: provider.id, settings: settingsOf(provider, values) },
        ...(secret.trim() !== '' && { secrets: [secret] }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      });
      onMade(made);
    } catch (failure) {
      setError(asError(failure));
      setBusy(false);
    }
  };
  return (
    <Section title={t.make(provider.title)}>
      <form
        class="wide"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void make();
        }}
      >
        <Field label={t.name} hint={t.nameHint} error={errorAt(error, '/slug')}>
          {(given) => (
            <input
              {...given}
              value={slug}
              required
              autoFocus
              maxLength={63}
              pattern="[a-z0-9]+(-[a-z0-9]+)*"
              autoComplete="off"
              autoCapitalize="none"
              spellcheck={false}
              onInput={({ currentTarget }) => setSlug(currentTarget.value)}
            />
          )}
        </Field>
        <Field label={t.secret} hint={t.secretHint} error={errorAt(error, '/secrets/0')}>
          {(given) => (
            <input
              {...given}
              type="password"
              value={secret}
              maxLength={1_000}
              autoComplete="off"
              onInput={({ currentTarget }) => setSecret(currentTarget.value)}
            />
          )}
        </Field>
        <h3>{t.settings}</h3>
        <SettingFields {...{ provider, values, error }} onChange={setValues} />
        <Field label={t.reason} hint={t.reasonHint}>
          {(given) => (
            <input
              {...given}
              value={reason}
              maxLength={500}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </Field>
        {error && <Failure error={error} />}
        <div class="actions">
          <button type="submit" class="button main" disabled={isBusy} aria-busy={isBusy}>
            {t.create}
          </button>
          <button type="button" class="button" onClick={onBack}>
            {t.another}
          </button>
        </div>
      </form>
      <SetUp provider={provider} />
    </Section>
  );
}

function TryOut({ slug }: { slug: string }) {
  const t = useTexts(T);
  // The form is gone that had the focus.
  useEffect(() => document.querySelector<HTMLElement>('main h1')?.focus(), []);
  const path = useAdminPath();
  const href = useHref();
  const source = useLoaded<SourceView>(path('sources', slug));
  const provider = useLoaded<ProviderView>(source.value && path('providers', source.value.provider));
  return (
    <WhenLoaded of={source}>
      {(value) => (
        <>
          <Section title={t.address}>
            <p>{t.addressSays}</p>
            <Copyable text={value.webhookUrl} name={t.addressName} />
            {value.webhookUrl.includes('{secret}') && <p>{t.addressSecret}</p>}
            <h3>{t.secretPlace}</h3>
            <p>{value.secretCount > 0 ? t.hasSecret : t.needsSecret}</p>
            {value.secretCount === 0 && <AddSecret slug={slug} onDone={source.reload} />}
            {provider.value && <SetUp provider={provider.value} isOpen />}
          </Section>
          {provider.value && <Credentials source={value} provider={provider.value} onDone={source.reload} />}
          <Section title={t.test}>
            <p>{t.testSays}</p>
            <Arrivals slug={slug} />
          </Section>
          <p>
            <Link class="button" href={href('sources', slug)}>
              {t.finish}
            </Link>
          </p>
        </>
      )}
    </WhenLoaded>
  );
}
