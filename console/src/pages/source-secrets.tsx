import { useRef } from 'preact/hooks';
import type { ProviderView } from '../../../src/admin/sources/providers.dto';
import type { SourceView } from '../../../src/admin/sources/sources.dto';
import { write } from '../api';
import { useAdminPath } from '../session';
import { texts, useTexts, wordOf } from '../texts';
import { Act } from '../ui/act';
import { Field, Instant, Section } from '../ui/basics';
import { Described } from './described';
import { SETTING_NAMES } from './setting-names';

const T = texts(
  {
    title: 'Secrets',
    what: 'By the secret Ponte knows that a webhook is from the shop. It is the one that the shop signs with; nothing ever shows it again.',
    none: 'There is no secret: every webhook is refused.',
    one: 'One secret is valid.',
    several: (count: number) => `${count} secrets are valid: a webhook may be signed with any of them.`,
    most: 'Five is the most: retire the old ones before you add another.',
    rotate: 'To change it without losing a webhook:',
    add: 'Add a secret',
    addSays: 'Those before stay valid.',
    secret: 'Secret, as the shop has it',
    secretHint: 'Blanks around it are left out. It is stored encrypted.',
    added: 'The secret was added. Those before stay valid.',
    atShop: 'Set it at the shop',
    atShopSays: 'Enter the same text where the shop keeps the secret of its webhooks.',
    see: 'See a webhook arrive',
    seeSays:
      'Have the shop send one after that, such as its test, and look for it under “Newest webhooks”. Ponte does not say with which secret a webhook was signed: it has to be sent after the change at the shop.',
    newest: 'The newest came on',
    retire: 'Retire the old ones',
    retireSays: 'Only the newest stays valid. What is signed with another one is refused from then on.',
    retired: 'Only the newest secret is valid now.',
    nothingToRetire: 'There are no old ones.',
    credentials: "Access to the provider's API",
    credentialsWhat:
      'With it Ponte asks the provider: for the whole of what a webhook only names, for what did not arrive, and to register webhooks. Nothing ever shows it again.',
    set: 'It is set.',
    notSet: 'It is not set.',
    enter: 'Enter it',
    replace: 'Replace it',
    stored: 'The access was stored.',
    all: 'All of it is replaced together.',
    forget: 'Forget it',
    forgetSays: 'Ponte then asks the provider nothing any more.',
    forgotten: 'The access was forgotten.',
  },
  {
    title: 'Segredos',
    what: 'Pelo segredo o Ponte sabe que um webhook é da loja. É aquele com que a loja assina; nada volta a mostrá-lo.',
    none: 'Não há segredo: todos os webhooks são recusados.',
    one: 'Um segredo é válido.',
    several: (count: number) =>
      `${count} segredos são válidos: um webhook pode ser assinado com qualquer um deles.`,
    most: 'Cinco é o máximo: aposente os antigos antes de adicionar outro.',
    rotate: 'Para trocá-lo sem perder um webhook:',
    add: 'Adicionar um segredo',
    addSays: 'Os anteriores continuam válidos.',
    secret: 'Segredo, como está na loja',
    secretHint: 'Espaços em volta são retirados. É guardado cifrado.',
    added: 'O segredo foi adicionado. Os anteriores continuam válidos.',
    atShop: 'Coloque-o na loja',
    atShopSays: 'Informe o mesmo texto onde a loja guarda o segredo dos webhooks.',
    see: 'Veja um webhook chegar',
    seeSays:
      'Faça a loja enviar um depois disso, como o teste dela, e procure-o em “Webhooks mais novos”. O Ponte não diz com qual segredo um webhook foi assinado: ele tem de ser enviado depois da troca na loja.',
    newest: 'O mais novo chegou em',
    retire: 'Aposentar os antigos',
    retireSays: 'Só o mais novo continua válido. O que for assinado com outro é recusado a partir de então.',
    retired: 'Agora só o segredo mais novo é válido.',
    nothingToRetire: 'Não há antigos.',
    credentials: 'Acesso à API do provedor',
    credentialsWhat:
      'Com ele o Ponte consulta o provedor: para ler por inteiro o que um webhook só nomeia, para achar o que não chegou e para registrar webhooks. Nada volta a mostrá-lo.',
    set: 'Está informado.',
    notSet: 'Não está informado.',
    enter: 'Informar',
    replace: 'Substituir',
    stored: 'O acesso foi guardado.',
    all: 'Tudo é substituído junto.',
    forget: 'Esquecer',
    forgetSays: 'O Ponte então não consulta mais nada no provedor.',
    forgotten: 'O acesso foi esquecido.',
  },
);

/** How many secrets of a source may be valid at once. */
const MOST_SECRETS = 5;

interface Given {
  source: SourceView;
  onDone: () => void;
}

/** The secrets of a source, and step by step how one takes the place of another. */
export function Secrets({ source: { slug, secretCount, status }, onDone }: Given) {
  const t = useTexts(T);
  const path = useAdminPath();
  return (
    <Section title={t.title}>
      <p>{t.what}</p>
      <p>{secretCount === 0 ? t.none : secretCount === 1 ? t.one : t.several(secretCount)}</p>
      {secretCount === 0 ? (
        <AddSecret slug={slug} onDone={onDone} />
      ) : (
        <>
          <h3>{t.rotate}</h3>
          <ol class="steps">
            <li>
              <strong>{t.add}</strong>
              <p>{secretCount >= MOST_SECRETS ? t.most : t.addSays}</p>
              {secretCount < MOST_SECRETS && <AddSecret slug={slug} onDone={onDone} />}
            </li>
            <li>
              <strong>{t.atShop}</strong>
              <p>{t.atShopSays}</p>
            </li>
            <li>
              <strong>{t.see}</strong>
              <p>{t.seeSays}</p>
              {status.lastReceivedAt !== null && (
                <p>
                  {t.newest} <Instant at={status.lastReceivedAt} />.
                </p>
              )}
            </li>
            <li>
              <strong>{t.retire}</strong>
              <p>{secretCount > 1 ? t.retireSays : t.nothingToRetire}</p>
              {secretCount > 1 && (
                <Act
                  label={t.retire}
                  kind="danger"
                  done={t.retired}
                  act={(reason) => write('DELETE', path('sources', slug, 'secrets'), { reason })}
                  onDone={onDone}
                >
                  <p>{t.retireSays}</p>
                </Act>
              )}
            </li>
          </ol>
        </>
      )}
    </Section>
  );
}

/** Asks for a secret. What was entered is forgotten as the dialog closes. */
export function AddSecret({ slug, onDone }: { slug: string; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const entered = useRef<HTMLInputElement>(null);
  return (
    <Act
      label={t.add}
      kind="main"
      done={t.added}
      act={(reason) =>
        write('POST', path('sources', slug, 'secrets'), { secret: entered.current?.value ?? '', reason })
      }
      onDone={onDone}
    >
      <div class="wide">
        <Field label={t.secret} hint={t.secretHint}>
          {(given) => (
            <input
              {...given}
              ref={entered}
              type="password"
              autoComplete="off"
              required
              maxLength={1_000}
              autoFocus
            />
          )}
        </Field>
      </div>
    </Act>
  );
}

/** What the provider's API is asked with; nothing where it is asked nothing. */
export function Credentials({ source, provider, onDone }: Given & { provider: ProviderView }) {
  const t = useTexts(T);
  const names = useTexts(SETTING_NAMES);
  const path = useAdminPath();
  const form = useRef<HTMLDivElement>(null);
  const needed = Object.entries(provider.credentials);
  if (needed.length === 0) return null;
  const isSet = source.credentials.length > 0;
  const put = (credentials: Record<string, string>, reason: string): Promise<unknown> =>
    write('PUT', path('sources', source.slug, 'credentials'), { credentials, reason });
  return (
    <Section title={t.credentials}>
      <p>{t.credentialsWhat}</p>
      <p>{isSet ? t.set : t.notSet}</p>
      <div class="actions">
        <Act
          label={isSet ? t.replace : t.enter}
          title={t.credentials}
          done={t.stored}
          act={(reason) => put(entriesOf(form.current), reason)}
          onDone={onDone}
        >
          <div class="wide" ref={form}>
            <p>{t.all}</p>
            {needed.map(([name, { description }], index) => (
              <Field key={name} label={wordOf(names, name)} hint={<Described text={description} />}>
                {(given) => (
                  <input
                    {...given}
                    name={name}
                    type="password"
                    autoComplete="off"
                    required
                    maxLength={4_000}
                    autoFocus={index === 0}
                  />
                )}
              </Field>
            ))}
          </div>
        </Act>
        {isSet && (
          <Act
            label={t.forget}
            kind="danger"
            done={t.forgotten}
            act={(reason) => put({}, reason)}
            onDone={onDone}
          >
            <p>{t.forgetSays}</p>
          </Act>
        )}
      </div>
    </Section>
  );
}

function entriesOf(form: HTMLElement | null): Record<string, string> {
  const inputs = [...(form?.querySelectorAll('input') ?? [])];
  return Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
}
