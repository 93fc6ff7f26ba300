import { useRef, useState } from 'preact/hooks';
import type { EndpointView, MadeEndpointView } from '../../../src/admin/notifications/endpoints.dto';
import type { SubscriptionView } from '../../../src/admin/notifications/subscriptions.dto';
import { remove, write } from '../api';
import { type Loaded, useLoaded } from '../loaded';
import { useAdminPath } from '../session';
import { texts, useTexts } from '../texts';
import { Act } from '../ui/act';
import { Field, Heading, Instant, Nothing, Section, WhenLoaded } from '../ui/basics';
import { MadeSecret } from '../ui/made-secret';
import { Table } from '../ui/table';
import './sources.css';

const T = texts(
  {
    title: 'Notifications',
    subscriptions: 'Who is told of what needs a person',
    subscriptionsSay:
      'Each gets what is open now, then every new item once: by e-mail, or as a signed message to an address. To change one, remove it and make it anew.',
    endpoints: 'Addresses for messages',
    endpointsSay:
      'Rules and the list above may send signed messages there. The receiver checks the signature with the secret.',
    name: 'Name',
    nameHint: 'Lower-case letters, digits and hyphens.',
    noSubscriptions: 'Nobody is told: what needs a person is seen on these pages alone.',
    noEndpoints: 'There is no address yet.',
    who: 'Who',
    when: 'When',
    about: 'Of what',
    everything: 'everything',
    next: 'Looks next',
    act: 'What can be done',
    add: 'Tell somebody',
    added: 'It was added.',
    emails: 'E-mail addresses',
    emailsHint: 'One a line, without names; twenty at most. Needed where no address for messages is chosen.',
    endpoint: 'Address for messages',
    noEndpoint: 'none',
    language: 'Language of the e-mails',
    immediate: 'at once',
    hourly: 'at every full hour',
    daily: 'daily',
    dailyAt: (at: string) => `daily at ${at}`,
    at: 'At',
    atHint: "Of those that are told daily, in the organization's time zone.",
    aboutHint: 'Choose nothing for everything.',
    attention: 'items for a person, but those of sources',
    rules: 'what rules report',
    sources: 'sources that are silent, failing or about to be switched off',
    'dead-letters': 'webhooks that failed',
    completeness: 'books that differ from the shop',
    codes: 'Codes besides',
    codesHint: 'Of single kinds of items, such as payment-left-over; with commas between.',
    remove: 'Remove',
    removeSubscription: (name: string) => `Tell “${name}” no more`,
    removeSubscriptionSays: 'Nobody is told by it any more; messages that wait are given up.',
    removed: 'It was removed.',
    newEndpoint: 'Add an address',
    url: 'Address',
    urlHint: 'Begins with https://; no user and no fragment.',
    secret: 'Secret',
    secretHint: 'whsec_ and base64, if the receiver has made one. Empty: Ponte makes one and shows it once.',
    newSecret: (name: string) => `The secret of “${name}”`,
    secretsName: 'Secrets',
    one: 'one',
    two: 'two: messages are signed with both',
    removeEndpoint: (name: string) => `Send nothing more to “${name}”`,
    removeEndpointSays:
      'Messages that wait for it are refused. Rules that name it ask a person from then on.',
    rotate: 'Second secret',
    rotateTitle: (name: string) => `A second secret for “${name}”`,
    rotateSays:
      'Messages are signed with both, until you retire the old one: first add the new one, then give it to the receiver, then retire the old one.',
    rotated: 'The secret was added: messages are signed with both.',
    retire: 'Retire the old one',
    retireTitle: (name: string) => `Retire the old secret of “${name}”`,
    retireSays: 'Messages are signed with the newest alone. The receiver has to know it by now.',
    retired: 'Messages are signed with the newest secret alone.',
  },
  {
    title: 'Avisos',
    subscriptions: 'Quem é avisado do que precisa de alguém',
    subscriptionsSay:
      'Cada um recebe o que está em aberto agora, depois cada novo item uma vez: por e-mail, ou como mensagem assinada a um endereço. Para mudar um, remova-o e crie de novo.',
    endpoints: 'Endereços para mensagens',
    endpointsSay:
      'As regras e a lista acima podem enviar mensagens assinadas para lá. Quem recebe confere a assinatura com o segredo.',
    name: 'Nome',
    nameHint: 'Letras minúsculas, algarismos e hifens.',
    noSubscriptions: 'Ninguém é avisado: o que precisa de alguém só se vê nestas páginas.',
    noEndpoints: 'Ainda não há endereço.',
    who: 'Quem',
    when: 'Quando',
    about: 'De quê',
    everything: 'tudo',
    next: 'Olha em',
    act: 'O que pode ser feito',
    add: 'Avisar alguém',
    added: 'Foi adicionado.',
    emails: 'Endereços de e-mail',
    emailsHint:
      'Um por linha, sem nomes; vinte no máximo. Necessários se nenhum endereço para mensagens é escolhido.',
    endpoint: 'Endereço para mensagens',
    noEndpoint: 'nenhum',
    language: 'Idioma dos e-mails',
    immediate: 'na hora',
    hourly: 'a cada hora cheia',
    daily: 'todo dia',
    dailyAt: (at: string) => `todo dia às ${at}`,
    at: 'Às',
    atHint: 'Dos avisados todo dia, no fuso da organização.',
    aboutHint: 'Não escolha nada para tudo.',
    attention: 'itens para alguém, menos os de origens',
    rules: 'o que as regras relatam',
    sources: 'origens em silêncio, com falhas ou prestes a serem desligadas',
    'dead-letters': 'webhooks que falharam',
    completeness: 'livros que diferem da loja',
    codes: 'Além disso, códigos',
    codesHint: 'De tipos únicos de itens, como payment-left-over; separados por vírgulas.',
    remove: 'Remover',
    removeSubscription: (name: string) => `Não avisar mais “${name}”`,
    removeSubscriptionSays: 'Ninguém mais é avisado por ele; as mensagens que esperam são abandonadas.',
    removed: 'Foi removido.',
    newEndpoint: 'Adicionar um endereço',
    url: 'Endereço',
    urlHint: 'Começa com https://; sem usuário e sem fragmento.',
    secret: 'Segredo',
    secretHint: 'whsec_ e base64, se quem recebe criou um. Vazio: o Ponte cria um e o mostra uma vez.',
    newSecret: (name: string) => `O segredo de “${name}”`,
    secretsName: 'Segredos',
    one: 'um',
    two: 'dois: as mensagens são assinadas com ambos',
    removeEndpoint: (name: string) => `Não enviar mais nada a “${name}”`,
    removeEndpointSays:
      'As mensagens que esperam por ele são recusadas. Regras que o nomeiam pedem a ajuda de alguém a partir de então.',
    rotate: 'Segundo segredo',
    rotateTitle: (name: string) => `Um segundo segredo para “${name}”`,
    rotateSays:
      'As mensagens são assinadas com ambos, até você aposentar o antigo: primeiro adicione o novo, depois entregue-o a quem recebe, depois aposente o antigo.',
    rotated: 'O segredo foi adicionado: as mensagens são assinadas com ambos.',
    retire: 'Aposentar o antigo',
    retireTitle: (name: string) => `Aposentar o segredo antigo de “${name}”`,
    retireSays: 'As mensagens são assinadas só com o mais novo. Quem recebe já tem de conhecê-lo.',
    retired: 'As mensagens são assinadas só com o segredo mais novo.',
  },
);

const SCHEDULES = ['daily', 'hourly', 'immediate'] as const;
const TOPICS = ['attention', 'rules', 'sources', 'dead-letters', 'completeness'] as const;
const LANGUAGES = { 'pt-BR': 'Português', en: 'English' } as const;
const NAME = '[a-z0-9]+(-[a-z0-9]+)*';

type List<T> = Loaded<{ items: T[] }>;

/** Who is told of what needs a person, and where messages may be sent. */
export function Notifications() {
  const t = useTexts(T);
  const path = useAdminPath();
  const endpoints: List<EndpointView> = useLoaded(path('notifications', 'endpoints'));
  const subscriptions: List<SubscriptionView> = useLoaded(path('notifications', 'subscriptions'));
  return (
    <>
      <Heading title={t.title} />
      <Section title={t.subscriptions}>
        <p>{t.subscriptionsSay}</p>
        <WhenLoaded of={subscriptions}>
          {({ items }) => <Subscriptions items={items} onDone={subscriptions.reload} />}
        </WhenLoaded>
        <p>
          <Subscribe
            endpoints={(endpoints.value?.items ?? []).map(({ name }) => name)}
            onDone={subscriptions.reload}
          />
        </p>
      </Section>
      <Endpoints endpoints={endpoints} />
    </>
  );
}

function Subscriptions({ items, onDone }: { items: readonly SubscriptionView[]; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  if (items.length === 0) return <Nothing>{t.noSubscriptions}</Nothing>;
  return (
    <Table
      caption={t.subscriptions}
      rows={items}
      keyOf={({ name }) => name}
      columns={[
        { name: t.name, show: ({ name }) => name },
        {
          name: t.who,
          show: ({ emails, endpoint }) => [...emails, ...(endpoint === null ? [] : [endpoint])].join(', '),
        },
        {
          name: t.when,
          show: ({ schedule, at }) => (at === null ? t[schedule] : t.dailyAt(at)),
        },
        { name: t.about, show: ({ about }) => <About about={about} /> },
        { name: t.next, show: ({ nextAt }) => <Instant at={nextAt} /> },
        {
          name: t.act,
          show: ({ name }) => (
            <Act
              label={t.remove}
              title={t.removeSubscription(name)}
              kind="danger"
              done={t.removed}
              act={(reason) => remove(path('notifications', 'subscriptions', name), reason)}
              onDone={onDone}
            >
              <p>{t.removeSubscriptionSays}</p>
            </Act>
          ),
        },
      ]}
    />
  );
}

function About({ about }: { about: readonly string[] }) {
  const t = useTexts(T);
  if (about.length === 0) return <>{t.everything}</>;
  return (
    <ul class="plain">
      {about.map((word) => {
        const topic = TOPICS.find((one) => one === word);
        return <li key={word}>{topic ? t[topic] : <code>{word}</code>}</li>;
      })}
    </ul>
  );
}

/** Asks who is to be told, when and of what. */
function Subscribe({ endpoints, onDone }: { endpoints: readonly string[]; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const form = useRef<HTMLDivElement>(null);
  const [schedule, setSchedule] = useState<(typeof SCHEDULES)[number]>('daily');
  const subscribe = (reason: string): Promise<unknown> => {
    const given = entered(form.current);
    const emails = given('emails')
      .split(/[\s,;]+/)
      .filter(Boolean);
    const about = [
      ...ticked(form.current),
      ...given('codes')
        .split(/[\s,;]+/)
        .filter(Boolean),
    ];
    return write('POST', path('notifications', 'subscriptions'), {
      ...{ name: given('name'), schedule, language: given('language'), reason },
      ...(emails.length > 0 && { emails }),
      ...(given('endpoint') !== '' && { endpoint: given('endpoint') }),
      ...(schedule === 'daily' && { at: given('at') }),
      ...(about.length > 0 && { about }),
    });
  };
  return (
    <Act label={t.add} kind="main" done={t.added} act={subscribe} onDone={onDone}>
      <div class="wide" ref={form}>
        <NameField />
        <Field label={t.emails} hint={t.emailsHint}>
          {(given) => <textarea {...given} name="emails" rows={2} maxLength={6_000} spellcheck={false} />}
        </Field>
        <Field label={t.endpoint}>
          {(given) => (
            <select {...given} name="endpoint">
              <option value="">{t.noEndpoint}</option>
              {endpoints.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t.language}>
          {(given) => (
            <select {...given} name="language">
              {Object.entries(LANGUAGES).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t.when}>
          {(given) => (
            <select
              {...given}
              value={schedule}
              onChange={({ currentTarget: { value } }) =>
                setSchedule(SCHEDULES.find((one) => one === value) ?? 'daily')
              }
            >
              {SCHEDULES.map((one) => (
                <option key={one} value={one}>
                  {t[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {schedule === 'daily' && (
          <Field label={t.at} hint={t.atHint}>
            {(given) => <input {...given} name="at" type="time" required defaultValue="08:00" />}
          </Field>
        )}
        <fieldset class="choices">
          <legend>
            {t.about} <span class="quiet">{t.aboutHint}</span>
          </legend>
          {TOPICS.map((topic) => (
            <label key={topic}>
              <input type="checkbox" value={topic} />
              <span>{t[topic]}</span>
            </label>
          ))}
        </fieldset>
        <Field label={t.codes} hint={t.codesHint}>
          {(given) => <input {...given} name="codes" maxLength={3_000} autoComplete="off" />}
        </Field>
      </div>
    </Act>
  );
}

function Endpoints({ endpoints }: { endpoints: List<EndpointView> }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [made, setMade] = useState<{ name: string; secret: string }>();
  const show = ({ name, secret }: MadeEndpointView): void =>
    setMade(secret === null ? undefined : { name, secret });
  const at = (...parts: readonly string[]): string => path('notifications', 'endpoints', ...parts);
  return (
    <>
      {made && (
        <MadeSecret title={t.newSecret(made.name)} text={made.secret} onKept={() => setMade(undefined)} />
      )}
      <Section title={t.endpoints}>
        <p>{t.endpointsSay}</p>
        <WhenLoaded of={endpoints}>
          {({ items }) =>
            items.length === 0 ? (
              <Nothing>{t.noEndpoints}</Nothing>
            ) : (
              <Table
                caption={t.endpoints}
                rows={items}
                keyOf={({ name }) => name}
                columns={[
                  { name: t.name, show: ({ name }) => name },
                  { name: t.url, show: ({ url }) => <code>{url}</code> },
                  { name: t.secretsName, show: ({ secretCount }) => (secretCount > 1 ? t.two : t.one) },
                  {
                    name: t.act,
                    show: (endpoint) => (
                      <EndpointActs endpoint={endpoint} at={at} onMade={show} onDone={endpoints.reload} />
                    ),
                  },
                ]}
              />
            )
          }
        </WhenLoaded>
        <p>
          <NewEndpoint at={at} onMade={show} onDone={endpoints.reload} />
        </p>
      </Section>
    </>
  );
}

interface EndpointGiven {
  /** Makes paths below the endpoints. */
  at: (...parts: readonly string[]) => string;
  onMade: (made: MadeEndpointView) => void;
  onDone: () => void;
}

function EndpointActs({
  endpoint: { name, secretCount },
  at,
  onMade,
  onDone,
}: EndpointGiven & { endpoint: EndpointView }) {
  const t = useTexts(T);
  const form = useRef<HTMLDivElement>(null);
  const rotate = async (reason: string): Promise<void> => {
    const secret = entered(form.current)('secret');
    onMade(await write('POST', at(name, 'secrets'), { reason, ...(secret !== '' && { secret }) }));
  };
  return (
    <div class="line">
      {secretCount > 1 ? (
        <Act
          key="retire"
          label={t.retire}
          title={t.retireTitle(name)}
          kind="danger"
          done={t.retired}
          act={(reason) =>
            write('POST', `${at(name, 'secrets', 'retire')}?${new URLSearchParams({ reason }).toString()}`)
          }
          onDone={onDone}
        >
          <p>{t.retireSays}</p>
        </Act>
      ) : (
        <Act
          key="rotate"
          label={t.rotate}
          title={t.rotateTitle(name)}
          done={t.rotated}
          act={rotate}
          onDone={onDone}
        >
          <div class="wide" ref={form}>
            <p>{t.rotateSays}</p>
            <SecretField />
          </div>
        </Act>
      )}
      <Act
        label={t.remove}
        title={t.removeEndpoint(name)}
        kind="danger"
        done={t.removed}
        act={(reason) => remove(at(name), reason)}
        onDone={onDone}
      >
        <p>{t.removeEndpointSays}</p>
      </Act>
    </div>
  );
}

function NewEndpoint({ at, onMade, onDone }: EndpointGiven) {
  const t = useTexts(T);
  const form = useRef<HTMLDivElement>(null);
  const make = async (reason: string): Promise<void> => {
    const given = entered(form.current);
    const [name, url, secret] = [given('name'), given('url'), given('secret')];
    onMade(await write('POST', at(), { name, url, reason, ...(secret !== '' && { secret }) }));
  };
  return (
    <Act label={t.newEndpoint} kind="main" done={t.added} act={make} onDone={onDone}>
      <div class="wide" ref={form}>
        <NameField />
        <Field label={t.url} hint={t.urlHint}>
          {(given) => (
            <input {...given} name="url" type="url" required maxLength={2_000} autoComplete="off" />
          )}
        </Field>
        <SecretField />
      </div>
    </Act>
  );
}

function SecretField() {
  const t = useTexts(T);
  return (
    <Field label={t.secret} hint={t.secretHint}>
      {(given) => <input {...given} name="secret" type="password" maxLength={200} autoComplete="off" />}
    </Field>
  );
}

/** Reads what was entered, by the control's name. */
function entered(form: HTMLElement | null): (name: string) => string {
  return (name) => {
    const control = form?.querySelector(`[name="${name}"]`);
    const isControl =
      control instanceof HTMLInputElement ||
      control instanceof HTMLTextAreaElement ||
      control instanceof HTMLSelectElement;
    return isControl ? control.value.trim() : '';
  };
}

function ticked(form: HTMLElement | null): string[] {
  const boxes = [...(form?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]') ?? [])];
  return boxes.filter(({ checked }) => checked).map(({ value }) => value);
}

function NameField() {
  const t = useTexts(T);
  return (
    <Field label={t.name} hint={t.nameHint}>
      {(given) => (
        <input {...given} name="name" required autoFocus maxLength={63} pattern={NAME} autoComplete="off" />
      )}
    </Field>
  );
}
