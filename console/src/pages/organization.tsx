import { useState } from 'preact/hooks';
import type {
  ChangedOrganizationView,
  OrganizationView,
  RetentionStatusView,
  RetentionView,
} from '../../../src/admin/organizations.dto';
import { write } from '../api';
import type { BooksAccountView } from '../../../src/admin/books/books.dto';
import { useFormats } from '../format';
import { type Loaded, useLoaded } from '../loaded';
import { useAdminPath } from '../session';
import { texts, useTexts } from '../texts';
import { Act } from '../ui/act';
import { Fact, Field, Heading, Instant, Section, WhenLoaded } from '../ui/basics';
import { Table } from '../ui/table';
import { errorAt } from './setting-fields';
import './sources.css';

const T = texts(
  {
    title: 'Organization',
    settings: 'Settings',
    name: 'Name',
    slug: 'Short name in addresses',
    slugSays: 'It is part of every webhook address, and never changes.',
    profile: 'Profile of rules',
    profileSays: 'Another profile is set on the command line: it switches rules on and off.',
    timeZone: 'Time zone',
    timeZoneHint: 'Where its days begin, such as America/Sao_Paulo.',
    currency: 'Currency',
    currencyHint: 'Three letters, such as BRL. It changes only while nothing is booked.',
    account: 'Account for receipts',
    accountHint: 'Where receipts are booked when no rule names an account.',
    noAccount: 'none',
    sameAccount: 'the one that is set',
    retention: 'How long what is kept',
    retentionSays:
      'Days. Empty: for ever. The books themselves are always kept. What is removed is gone for good.',
    bodies: 'What shops sent (contents of webhooks)',
    plans: 'What rules planned',
    calls: 'What was sent to the finance service',
    deferred: 'What was deferred and is done',
    attention: 'Items for a person that are settled',
    idempotency: 'Answers to requests that were repeated',
    feed: 'Changes that every reader has read',
    feedUnread: 'Changes that a reader has not read',
    from: (least: string, most: string) => `From ${least} to ${most} days.`,
    save: 'Change the organization',
    saveSays: 'Shorter times remove what is older, within a day.',
    saved: 'The organization was changed.',
    removed: 'What was removed because of its age',
    kind: 'What',
    ranAt: 'Seen to last',
    last: 'Removed then',
    ever: 'Removed in all',
    left: 'Some is left',
    yes: 'yes',
    no: 'no',
  },
  {
    title: 'Organização',
    settings: 'Configurações',
    name: 'Nome',
    slug: 'Nome curto nos endereços',
    slugSays: 'Faz parte de todos os endereços de webhooks, e nunca muda.',
    profile: 'Perfil de regras',
    profileSays: 'Outro perfil se define na linha de comando: liga e desliga regras.',
    timeZone: 'Fuso horário',
    timeZoneHint: 'Onde começam os dias dela, como America/Sao_Paulo.',
    currency: 'Moeda',
    currencyHint: 'Três letras, como BRL. Só muda enquanto nada está lançado.',
    account: 'Conta para recebimentos',
    accountHint: 'Onde os recebimentos são lançados quando nenhuma regra nomeia uma conta.',
    noAccount: 'nenhuma',
    sameAccount: 'a que está definida',
    retention: 'Por quanto tempo se guarda',
    retentionSays:
      'Dias. Vazio: para sempre. Os próprios livros são sempre guardados. O que é removido não volta.',
    bodies: 'O que as lojas enviaram (conteúdo dos webhooks)',
    plans: 'O que as regras planejaram',
    calls: 'O que foi enviado ao serviço financeiro',
    deferred: 'O que foi adiado e está feito',
    attention: 'Itens para alguém que estão resolvidos',
    idempotency: 'Respostas a pedidos repetidos',
    feed: 'Mudanças que todos os leitores leram',
    feedUnread: 'Mudanças que um leitor não leu',
    from: (least: string, most: string) => `De ${least} a ${most} dias.`,
    save: 'Mudar a organização',
    saveSays: 'Prazos menores removem o que é mais antigo, dentro de um dia.',
    saved: 'A organização foi mudada.',
    removed: 'O que foi removido por causa da idade',
    kind: 'O quê',
    ranAt: 'Visto pela última vez',
    last: 'Removido então',
    ever: 'Removido no total',
    left: 'Ainda resta',
    yes: 'sim',
    no: 'não',
  },
);

/** As `src/kernel/retention.ts` has them. */
const DAYS = {
  bodies: { least: 1, most: 3_650 },
  plans: { least: 90, most: 36_500 },
  calls: { least: 90, most: 36_500 },
  deferred: { least: 90, most: 36_500 },
  attention: { least: 90, most: 36_500 },
  idempotency: { least: 7, most: 36_500 },
  feed: { least: 7, most: 36_500 },
  feedUnread: { least: 30, most: 36_500 },
} as const satisfies Record<keyof RetentionView, { least: number; most: number }>;

type Kind = keyof typeof DAYS;
const KINDS = Object.keys(DAYS) as Kind[];

/** What is kept of the organization itself, and for how long what is kept. */
export function Organization() {
  const t = useTexts(T);
  const path = useAdminPath();
  const organization = useLoaded<OrganizationView>(path());
  const accounts = useLoaded<{ items: BooksAccountView[] }>(path('books', 'accounts'), { limit: 200 });
  const retention = useLoaded<RetentionStatusView>(path('retention'));
  return (
    <>
      <Heading title={t.title} />
      <WhenLoaded of={organization}>
        {(value) => <Change key={JSON.stringify(value)} organization={value} accounts={accounts} />}
      </WhenLoaded>
      <Section title={t.removed}>
        <WhenLoaded of={retention}>{({ kinds }) => <Removed kinds={kinds} />}</WhenLoaded>
      </Section>
    </>
  );
}

/** What is entered, by field. */
interface Entered {
  readonly name: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly defaultAccountId: string;
  readonly days: Readonly<Record<Kind, string>>;
}

function Change({
  organization,
  accounts,
}: {
  organization: OrganizationView;
  accounts: Loaded<{ items: BooksAccountView[] }>;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [before] = useState(() => enteredOf(organization));
  const [now, setNow] = useState(before);
  const [error, setError] = useState<Error>();
  const set = (change: Partial<Entered>): void => setNow((one) => ({ ...one, ...change }));
  const isListed = accounts.value?.items.some(({ id }) => id === before.defaultAccountId) === true;
  const save = async (reason: string): Promise<void> => {
    setError(undefined);
    try {
      const body = { ...changeOf(before, now), reason };
      await write<ChangedOrganizationView>('PATCH', path(), body);
      // All pages have read its name, time zone and currency as somebody signed in.
      location.reload();
    } catch (failure) {
      setError(failure instanceof Error ? failure : undefined);
      throw failure;
    }
  };
  return (
    <>
      <Section title={t.settings}>
        <div class="wide">
          <Field label={t.name} error={errorAt(error, '/name')}>
            {(given) => (
              <input
                {...given}
                value={now.name}
                maxLength={200}
                autoComplete="off"
                onInput={({ currentTarget }) => set({ name: currentTarget.value })}
              />
            )}
          </Field>
          <Field label={t.timeZone} hint={t.timeZoneHint} error={errorAt(error, '/timeZone')}>
            {(given) => (
              <input
                {...given}
                list="all-zones"
                value={now.timeZone}
                maxLength={100}
                autoComplete="off"
                onInput={({ currentTarget }) => set({ timeZone: currentTarget.value })}
              />
            )}
          </Field>
          <datalist id="all-zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <Field label={t.currency} hint={t.currencyHint} error={errorAt(error, '/currency')}>
            {(given) => (
              <input
                {...given}
                value={now.currency}
                maxLength={3}
                autoComplete="off"
                onInput={({ currentTarget }) => set({ currency: currentTarget.value.toUpperCase() })}
              />
            )}
          </Field>
          <Field label={t.account} hint={t.accountHint} error={errorAt(error, '/defaultAccountId')}>
            {(given) => (
              <select
                {...given}
                value={now.defaultAccountId}
                disabled={accounts.value === undefined}
                onChange={({ currentTarget }) => set({ defaultAccountId: currentTarget.value })}
              >
                <option value="">{t.noAccount}</option>
                {before.defaultAccountId !== '' && !isListed && (
                  <option value={before.defaultAccountId}>{t.sameAccount}</option>
                )}
                {accounts.value?.items.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <dl class="facts">
          <Fact name={t.slug}>
            {organization.slug}
            <p class="hint">{t.slugSays}</p>
          </Fact>
          <Fact name={t.profile}>
            {organization.profile}
            <p class="hint">{t.profileSays}</p>
          </Fact>
        </dl>
      </Section>
      <Section title={t.retention}>
        <p>{t.retentionSays}</p>
        <Retention days={now.days} error={error} onChange={(days) => set({ days })} />
      </Section>
      <Act label={t.save} kind="main" done={t.saved} act={save}>
        <p>{t.saveSays}</p>
      </Act>
    </>
  );
}

function Retention({
  days,
  error,
  onChange,
}: {
  days: Entered['days'];
  error: Error | undefined;
  onChange: (days: Entered['days']) => void;
}) {
  const t = useTexts(T);
  const { count } = useFormats();
  return (
    <div class="pairs">
      {KINDS.map((kind) => {
        const { least, most } = DAYS[kind];
        return (
          <Field
            key={kind}
            label={t[kind]}
            hint={t.from(count(least), count(most))}
            error={errorAt(error, `/retention/${kind}`)}
          >
            {(given) => (
              <input
                {...given}
                type="number"
                min={least}
                max={most}
                required={kind === 'bodies'}
                value={days[kind]}
                onInput={({ currentTarget }) => onChange({ ...days, [kind]: currentTarget.value })}
              />
            )}
          </Field>
        );
      })}
    </div>
  );
}

function Removed({ kinds }: { kinds: RetentionStatusView['kinds'] }) {
  const t = useTexts(T);
  const { count } = useFormats();
  return (
    <Table
      caption={t.removed}
      rows={kinds}
      keyOf={({ kind }) => kind}
      columns={[
        {
          name: t.kind,
          show: ({ kind }) => {
            const known = KINDS.find((one) => one === kind);
            return known ? t[known] : kind;
          },
        },
        { name: t.ranAt, show: ({ ranAt }) => <Instant at={ranAt} /> },
        { name: t.last, isNumber: true, show: ({ removed }) => count(removed) },
        { name: t.ever, isNumber: true, show: ({ removedEver }) => count(removedEver) },
        { name: t.left, show: ({ complete }) => (complete ? t.no : t.yes) },
      ]}
    />
  );
}

function enteredOf({ name, timeZone, currency, defaultAccountId, retention }: OrganizationView): Entered {
  const days = KINDS.map((kind) => [kind, String(retention[kind] ?? '')]);
  return {
    ...{ name, timeZone, currency, defaultAccountId: defaultAccountId ?? '' },
    days: Object.fromEntries(days) as Record<Kind, string>,
  };
}

/** What was changed alone: what somebody else changed meanwhile stays. */
function changeOf(before: Entered, now: Entered): Record<string, unknown> {
  const fields = (['name', 'timeZone', 'currency'] as const).filter((name) => before[name] !== now[name]);
  const kinds = KINDS.filter((kind) => before.days[kind] !== now.days[kind]);
  return {
    ...Object.fromEntries(fields.map((name) => [name, now[name].trim()])),
    ...(before.defaultAccountId !== now.defaultAccountId && {
      defaultAccountId: now.defaultAccountId === '' ? null : now.defaultAccountId,
    }),
    ...(kinds.length > 0 && {
      retention: Object.fromEntries(kinds.map((kind) => [kind, daysOf(now.days[kind])])),
    }),
  };
}

function daysOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
