import type { RegisteredHookView, SourceHooksView } from '../../../src/admin/sources/hooks.dto';
import { useState } from 'preact/hooks';
import { get, write } from '../api';
import { asError } from '../loaded';
import { useAdminPath } from '../session';
import { texts, useTexts, wordOf } from '../texts';
import { Act } from '../ui/act';
import { Badge, Button, Failure, Nothing, Section, type Tone } from '../ui/basics';
import { Table } from '../ui/table';
import { Described } from './described';

const T = texts(
  {
    title: 'Webhooks at the provider',
    what: 'Ponte can register the webhooks of this source at the provider and mend them. Webhooks of others are never touched.',
    look: 'Ask the provider',
    again: 'Ask again',
    cannot: 'Nothing can be compared:',
    missing: 'Access to its API is missing:',
    caption: 'Webhooks that are registered at the provider, or have to be',
    topics: 'For',
    address: 'Leads to',
    state: 'State',
    problem: 'What is wrong',
    action: 'What a repair does',
    create: 'registers it',
    repair: 'mends it',
    nothing: 'nothing',
    fine: 'as it has to be',
    disabled: 'switched off',
    'wrong-address': 'leads to a wrong address',
    'wrong-topics': 'for the wrong events',
    'secret-unknown': 'its secret is not here',
    extra: 'not needed',
    foreign: 'of somebody else',
    isMissing: 'not registered',
    none: 'The provider lists no webhook.',
    mend: 'Repair them',
    mendSays: 'Ponte does at the provider:',
    mended: 'The provider was asked to change its webhooks. What came of it is listed.',
    allFine: 'There is nothing to repair.',
    steps: 'What came of it',
    done: 'done',
    refused: 'refused',
    unknown: 'not known: ask again in a minute',
  },
  {
    title: 'Webhooks no provedor',
    what: 'O Ponte pode registrar os webhooks desta origem no provedor e consertá-los. Webhooks de outros nunca são tocados.',
    look: 'Consultar o provedor',
    again: 'Consultar de novo',
    cannot: 'Nada pode ser comparado:',
    missing: 'Falta o acesso à API dele:',
    caption: 'Webhooks registrados no provedor, ou que devem estar',
    topics: 'Para',
    address: 'Leva a',
    state: 'Estado',
    problem: 'O que está errado',
    action: 'O que um conserto faz',
    create: 'registra',
    repair: 'conserta',
    nothing: 'nada',
    fine: 'como deve ser',
    disabled: 'desligado',
    'wrong-address': 'leva a um endereço errado',
    'wrong-topics': 'para os eventos errados',
    'secret-unknown': 'o segredo dele não está aqui',
    extra: 'desnecessário',
    foreign: 'de outra pessoa',
    isMissing: 'não registrado',
    none: 'O provedor não lista nenhum webhook.',
    mend: 'Consertar',
    mendSays: 'O Ponte faz no provedor:',
    mended: 'O provedor foi solicitado a mudar os webhooks. O resultado está na lista.',
    allFine: 'Não há nada para consertar.',
    steps: 'O que resultou',
    done: 'feito',
    refused: 'recusado',
    unknown: 'não se sabe: consulte de novo em um minuto',
  },
);

const TONES: Readonly<Record<string, Tone>> = { fine: 'good', extra: 'quiet', foreign: 'quiet' };
const STEP_TONES: Readonly<Record<string, Tone>> = { done: 'good', refused: 'bad', unknown: 'warn' };

/** The webhooks that the provider has for a source. It is asked when somebody wants to know. */
export function Hooks({ slug, onDone }: { slug: string; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [hooks, setHooks] = useState<SourceHooksView>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const look = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      setHooks(await get<SourceHooksView>(path('sources', slug, 'hooks')));
    } catch (failure) {
      setError(asError(failure));
    } finally {
      setBusy(false);
    }
  };
  const repair = async (plan: string, reason: string): Promise<void> => {
    const body = { dryRun: false, plan, reason };
    setHooks(await write<SourceHooksView>('POST', path('sources', slug, 'hooks', 'repair'), body));
  };
  const planned = hooks?.hooks.filter(({ action }) => action !== null) ?? [];
  const plan = hooks?.plan ?? null;
  return (
    <Section title={t.title}>
      <p>{t.what}</p>
      <div class="actions">
        <Button onClick={() => void look()} isBusy={isBusy}>
          {hooks ? t.again : t.look}
        </Button>
        {plan !== null && planned.length > 0 && (
          <Act label={t.mend} done={t.mended} act={(reason) => repair(plan, reason)} onDone={onDone}>
            <p>{t.mendSays}</p>
            <ul>
              {planned.map(({ id, action, topics }) => (
                <li key={`${id ?? ''} ${topics.join()}`}>
                  {action && wordOf(t, action)}: {topics.join(', ')}
                </li>
              ))}
            </ul>
          </Act>
        )}
      </div>
      <div aria-live="polite">
        {error && <Failure error={error} again={() => void look()} />}
        {hooks && <Shown hooks={hooks} />}
      </div>
    </Section>
  );
}

function Shown({ hooks: { reason, missingCredentials, hooks, steps, plan } }: { hooks: SourceHooksView }) {
  const t = useTexts(T);
  return (
    <>
      {reason !== null && (
        <p>
          {t.cannot} <q lang="en">{reason}</q>
        </p>
      )}
      {missingCredentials.length > 0 && (
        <>
          <p>{t.missing}</p>
          <ul>
            {missingCredentials.map(({ name, description }) => (
              <li key={name}>
                <code>{name}</code> <Described text={description} />
              </li>
            ))}
          </ul>
        </>
      )}
      {steps.length > 0 && (
        <>
          <h3>{t.steps}</h3>
          <ul>
            {steps.map((step) => (
              <li key={step.topics.join()}>
                {wordOf(t, step.action)}: {step.topics.join(', ')}{' '}
                <Badge tone={STEP_TONES[step.outcome] ?? 'plain'}>{wordOf(t, step.outcome)}</Badge>{' '}
                <span lang="en">{step.reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {reason === null && hooks.length === 0 && <Nothing>{t.none}</Nothing>}
      {plan !== null && hooks.every(({ action }) => action === null) && <p>{t.allFine}</p>}
      {hooks.length > 0 && (
        <Table
          caption={t.caption}
          rows={hooks}
          keyOf={({ id, topics }) => `${id ?? ''} ${topics.join()}`}
          columns={[
            { name: t.topics, show: ({ topics }) => topics.join(', ') },
            { name: t.state, show: (hook) => <HookState hook={hook} /> },
            { name: t.address, show: ({ address }) => address && <code>{address}</code> },
            { name: t.problem, show: ({ problem }) => <span lang="en">{problem}</span> },
            { name: t.action, show: ({ action }) => (action ? wordOf(t, action) : t.nothing) },
          ]}
        />
      )}
    </>
  );
}

function HookState({ hook: { state } }: { hook: RegisteredHookView }) {
  const t = useTexts(T);
  return <Badge tone={TONES[state] ?? 'warn'}>{state === 'missing' ? t.isMissing : wordOf(t, state)}</Badge>;
}
