import type { AuditView } from '../../../src/admin/audit.dto';
import type { KeyView } from '../../../src/admin/keys.dto';
import { spanOf } from '../days';
import { DayFilter, TextFilter, ChoiceFilter, useFilters } from '../filters';
import { type LoadedPages, usePages } from '../loaded';
import { type Language, usePreferences } from '../preferences';
import { useAdminPath, useOrganization, useSignedIn } from '../session';
import { texts, useTexts } from '../texts';
import { Heading, Instant, Listed } from '../ui/basics';
import { Table } from '../ui/table';
import { ITSELF } from './order';
import './audit.css';

const T = texts(
  {
    title: 'Audit log',
    explains: 'Who changed what, when and why. Nothing is ever taken out of it.',
    caption: 'What was changed, newest first',
    at: 'When',
    who: 'Who',
    what: 'What was done',
    subject: 'To what',
    why: 'Why',
    change: 'Before and after',
    before: 'Before',
    after: 'After',
    show: 'Show',
    nothing: 'nothing',
    none: 'Nothing fits.',
    action: 'What was done (code)',
    actor: 'Who',
    anybody: 'Anybody',
    from: 'From',
    to: 'Until',
    folder: 'The configuration folder',
    itself: 'Ponte, by itself',
    you: 'you',
    operators: "The operators' key",
    another: (id: string) => `Another key (${id})`,
  },
  {
    title: 'Auditoria',
    explains: 'Quem alterou o quê, quando e por quê. Nada é retirado daqui.',
    caption: 'O que foi alterado, o mais novo primeiro',
    at: 'Quando',
    who: 'Quem',
    what: 'O que foi feito',
    subject: 'A quê',
    why: 'Por quê',
    change: 'Antes e depois',
    before: 'Antes',
    after: 'Depois',
    show: 'Mostrar',
    nothing: 'nada',
    none: 'Nada corresponde.',
    action: 'O que foi feito (código)',
    actor: 'Quem',
    anybody: 'Qualquer um',
    from: 'De',
    to: 'Até',
    folder: 'A pasta de configuração',
    itself: 'Ponte, por si só',
    you: 'você',
    operators: 'A chave dos operadores',
    another: (id: string) => `Outra chave (${id})`,
  },
);

/** What actions say of: the part before the full stop. */
const SUBJECTS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  account: { en: 'Account', 'pt-BR': 'Conta' },
  approval: { en: 'Approval', 'pt-BR': 'Aprovação' },
  attention: { en: 'Item to be looked at', 'pt-BR': 'Item a ver' },
  backup: { en: 'Backup', 'pt-BR': 'Cópia de segurança' },
  bank: { en: 'Bank', 'pt-BR': 'Banco' },
  category: { en: 'Category', 'pt-BR': 'Categoria' },
  'category-group': { en: 'Category group', 'pt-BR': 'Grupo de categorias' },
  'cost-center': { en: 'Cost center', 'pt-BR': 'Centro de custo' },
  customer: { en: 'Customer', 'pt-BR': 'Cliente' },
  'dead-letter': { en: 'Webhook that could not be worked on', 'pt-BR': 'Webhook não processado' },
  'debit-schedule': { en: 'Payable', 'pt-BR': 'Conta a pagar' },
  'deferred-effect': { en: 'Part of a later day', 'pt-BR': 'Parte de um dia posterior' },
  delivery: { en: 'Webhook', 'pt-BR': 'Webhook' },
  effect: { en: 'Call to the finance service', 'pt-BR': 'Chamada ao serviço financeiro' },
  endpoint: { en: 'Receiver of messages', 'pt-BR': 'Destino de mensagens' },
  entry: { en: 'Entry', 'pt-BR': 'Lançamento' },
  finance: { en: 'Finance service', 'pt-BR': 'Serviço financeiro' },
  key: { en: 'Key', 'pt-BR': 'Chave' },
  organization: { en: 'Organization', 'pt-BR': 'Organização' },
  payment: { en: 'Payment', 'pt-BR': 'Pagamento' },
  privacy: { en: 'Personal data', 'pt-BR': 'Dados pessoais' },
  rule: { en: 'Rule', 'pt-BR': 'Regra' },
  source: { en: 'Source', 'pt-BR': 'Origem' },
  subscription: { en: 'Subscription', 'pt-BR': 'Assinatura' },
  supplier: { en: 'Supplier', 'pt-BR': 'Fornecedor' },
  table: { en: 'Table', 'pt-BR': 'Tabela' },
};

/** What was done: the part after it. */
const DEEDS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  abandon: { en: 'given up', 'pt-BR': 'desistência' },
  'add-secret': { en: 'secret added', 'pt-BR': 'segredo acrescentado' },
  adopt: { en: 'record taken over', 'pt-BR': 'registro assumido' },
  approve: { en: 'approved', 'pt-BR': 'aprovação' },
  cancel: { en: 'given up', 'pt-BR': 'desistência' },
  change: { en: 'changed', 'pt-BR': 'alteração' },
  'compare-again': { en: 'compared again', 'pt-BR': 'nova comparação' },
  connect: { en: 'connected', 'pt-BR': 'conexão' },
  create: { en: 'made', 'pt-BR': 'criação' },
  decline: { en: 'declined', 'pt-BR': 'recusa' },
  delete: { en: 'deleted', 'pt-BR': 'exclusão' },
  disable: { en: 'switched off', 'pt-BR': 'desligada' },
  discard: { en: 'given up', 'pt-BR': 'descarte' },
  enable: { en: 'switched on', 'pt-BR': 'ligada' },
  erase: { en: 'erased', 'pt-BR': 'apagados' },
  'erase-shop': { en: 'of a shop erased', 'pt-BR': 'de uma loja apagados' },
  export: { en: 'copied out', 'pt-BR': 'copiados' },
  import: { en: 'imported', 'pt-BR': 'importação' },
  make: { en: 'made', 'pt-BR': 'criação' },
  pause: { en: 'paused', 'pt-BR': 'pausa' },
  put: { en: 'saved', 'pt-BR': 'gravação' },
  reconcile: { en: 'reconciled', 'pt-BR': 'conciliação' },
  remove: { en: 'removed', 'pt-BR': 'remoção' },
  reopen: { en: 'reopened', 'pt-BR': 'reabertura' },
  repair: { en: 'repaired', 'pt-BR': 'reparo' },
  'repair-hooks': { en: 'webhooks mended', 'pt-BR': 'webhooks reparados' },
  repeat: { en: 'sent again', 'pt-BR': 'novo envio' },
  replay: { en: 'worked on again', 'pt-BR': 'novo processamento' },
  resolve: { en: 'dealt with', 'pt-BR': 'resolvido' },
  resume: { en: 'resumed', 'pt-BR': 'retomada' },
  'retire-secrets': { en: 'old secrets removed', 'pt-BR': 'segredos antigos removidos' },
  retry: { en: 'tried again', 'pt-BR': 'nova tentativa' },
  reveal: { en: 'read with personal data', 'pt-BR': 'leitura com dados pessoais' },
  revoke: { en: 'revoked', 'pt-BR': 'revogação' },
  'set-credentials': { en: 'credentials set', 'pt-BR': 'credenciais definidas' },
  settings: { en: 'settings changed', 'pt-BR': 'ajustes alterados' },
  unreconcile: { en: 'reconciliation taken back', 'pt-BR': 'conciliação desfeita' },
};

/** Actions that are looked for most; any other can be written. */
const SUGGESTED = [
  ...[
    'approval.approve',
    'approval.decline',
    'attention.resolve',
    'dead-letter.retry',
    'dead-letter.discard',
  ],
  ...['delivery.replay', 'delivery.repair', 'delivery.reveal', 'effect.adopt', 'effect.repeat'],
  ...[
    'effect.abandon',
    'key.create',
    'key.revoke',
    'privacy.erase',
    'rule.put',
    'rule.enable',
    'rule.disable',
  ],
  ...['source.change', 'source.create', 'source.pause', 'table.put'],
];

const FOLDER = 'configuration';

/** Who changed what, when and why. */
export function Audit() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { timeZone } = useOrganization();
  const filters = useFilters();
  const keys = usePages<KeyView>(path('keys'), { limit: 500 });
  const list = usePages<AuditView>(path('audit'), {
    action: filters.of('action'),
    subject: filters.of('subject'),
    actor: filters.of('actor'),
    ...spanOf(filters.of('from'), filters.of('to'), timeZone),
  });
  const nameOf = useActor(keys);
  return (
    <>
      <Heading title={t.title} />
      <p class="hint">{t.explains}</p>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <TextFilter name="action" label={t.action} filters={filters} suggestions={SUGGESTED} />
        <TextFilter name="subject" label={t.subject} filters={filters} />
        <ChoiceFilter
          name="actor"
          label={t.actor}
          filters={filters}
          any={t.anybody}
          choices={actorsOf(keys, filters.of('actor'), nameOf)}
        />
        <DayFilter name="from" label={t.from} filters={filters} />
        <DayFilter name="to" label={t.to} filters={filters} />
      </form>
      <Listed of={list} none={t.none}>
        {(items) => <Entries items={items} nameOf={nameOf} />}
      </Listed>
    </>
  );
}

function Entries({ items, nameOf }: { items: readonly AuditView[]; nameOf: (actor: string) => string }) {
  const t = useTexts(T);
  const { language } = usePreferences();
  return (
    <Table
      caption={t.caption}
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        { name: t.at, show: ({ at }) => <Instant at={at} /> },
        { name: t.who, show: ({ actor }) => nameOf(actor) },
        {
          name: t.what,
          show: ({ action }) => (
            <>
              {actionIn(language, action)}
              <br />
              <code>{action}</code>
            </>
          ),
        },
        { name: t.subject, show: ({ subject }) => <code>{subject}</code> },
        { name: t.why, show: ({ reason }) => reason ?? '–' },
        { name: t.change, show: (entry) => <Change entry={entry} /> },
      ]}
    />
  );
}

function Change({ entry: { before, after } }: { entry: AuditView }) {
  const t = useTexts(T);
  if (before === null && after === null) return <>–</>;
  const text = (of: unknown): string => (of === null ? t.nothing : JSON.stringify(of, null, 2));
  return (
    <details class="change">
      <summary>{t.show}</summary>
      <h2>{t.before}</h2>
      <pre>{text(before)}</pre>
      <h2>{t.after}</h2>
      <pre>{text(after)}</pre>
    </details>
  );
}

/** What was done, in words; a new action has its code alone. */
function actionIn(language: Language, action: string): string {
  const [subject = '', deed = ''] = action.split('.');
  const [named, done] = [SUBJECTS[subject]?.[language], DEEDS[deed]?.[language]];
  return named !== undefined && done !== undefined ? `${named}: ${done}` : '';
}

function useActor(keys: LoadedPages<KeyView>): (actor: string) => string {
  const t = useTexts(T);
  const { session } = useSignedIn();
  const names = new Map(keys.items?.map(({ id, name }) => [id, name]));
  return (actor) => {
    if (actor === FOLDER) return t.folder;
    if (actor === ITSELF) return t.itself;
    const name =
      names.get(actor) ?? (actor === session.keyId && session.isOperator ? t.operators : undefined);
    if (actor === session.keyId) return `${name ?? actor} (${t.you})`;
    return name ?? t.another(actor.slice(0, 8));
  };
}

function actorsOf(
  keys: LoadedPages<KeyView>,
  chosen: string,
  nameOf: (actor: string) => string,
): (readonly [string, string])[] {
  const { session } = useSignedIn();
  const ids = new Set([
    session.keyId,
    ...(keys.items ?? []).map(({ id }) => id),
    ...(chosen ? [chosen] : []),
  ]);
  return [...ids].map((id) => [id, nameOf(id)] as const);
}
