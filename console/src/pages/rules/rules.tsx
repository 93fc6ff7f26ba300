import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { RuleTemplateList } from '../../../../src/admin/rules/rules.dto';
import type { RuleList } from '../../../../src/admin/rules/rules.dto';
import type { TableList } from '../../../../src/admin/rules/tables.dto';
import { useFormats } from '../../format';
import { useLoaded } from '../../loaded';
import { useAdminPath, useHref } from '../../session';
import { texts, useTexts } from '../../texts';
import { Button, Dialog, Field, Heading, Instant, Nothing, Section, WhenLoaded } from '../../ui/basics';
import { Table } from '../../ui/table';
import { ActsOn, RuleState, RuleSwitch } from './rule-switch';
import './rules.css';

const T = texts(
  {
    title: 'Rules',
    intro: 'A rule says what is booked when something happens in a shop.',
    caption: 'Rules, by name',
    name: 'Rule',
    does: 'What it does',
    version: 'Version',
    since: 'Since',
    state: 'State',
    act: 'Change',
    none: 'There is no rule: nothing that arrives is booked.',
    make: 'New rule',
    beginWith: 'Begin with',
    empty: 'An empty rule',
    begin: 'Begin',
    emptySays: 'It has the members that every rule has.',
    tables: 'Lookup tables',
    tablesSay: 'Rules look accounts, categories and the like up in these tables.',
    table: 'Table',
    entries: 'Entries',
    noTables: 'There is no table.',
    makeTable: 'New table',
    tableName: 'Name of the table',
    tableHint: 'A small letter first, then letters, digits and _; rules name it as tables.NAME.',
  },
  {
    title: 'Regras',
    intro: 'Uma regra diz o que é lançado quando algo acontece em uma loja.',
    caption: 'Regras, por nome',
    name: 'Regra',
    does: 'O que ela faz',
    version: 'Versão',
    since: 'Desde',
    state: 'Estado',
    act: 'Mudar',
    none: 'Não há regras: nada do que chega é lançado.',
    make: 'Nova regra',
    beginWith: 'Começar com',
    empty: 'Uma regra vazia',
    begin: 'Começar',
    emptySays: 'Tem os membros que toda regra tem.',
    tables: 'Tabelas de consulta',
    tablesSay: 'As regras consultam nestas tabelas as contas, as categorias e afins.',
    table: 'Tabela',
    entries: 'Entradas',
    noTables: 'Não há tabelas.',
    makeTable: 'Nova tabela',
    tableName: 'Nome da tabela',
    tableHint: 'Primeiro uma letra minúscula, depois letras, dígitos e _; as regras a chamam tables.NOME.',
  },
);

/** Every rule with what it does, and the tables that rules look things up in. */
export function Rules() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const rules = useLoaded<RuleList>(path('rules'));
  return (
    <>
      <Heading title={t.title}>
        <NewRuleButton />
      </Heading>
      <p>{t.intro}</p>
      <WhenLoaded of={rules}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>{t.none}</Nothing>
          ) : (
            <Table
              caption={t.caption}
              rows={items}
              keyOf={({ name }) => name}
              hrefOf={({ name }) => href('rules', name)}
              columns={[
                { name: t.name, show: ({ name }) => <Link href={href('rules', name)}>{name}</Link> },
                {
                  name: t.does,
                  show: ({ event, description }) => (
                    <>
                      <ActsOn event={event} />
                      {description && <p class="says">{firstSentence(description)}</p>}
                    </>
                  ),
                },
                { name: t.version, isNumber: true, show: ({ version }) => version },
                { name: t.since, show: ({ createdAt }) => <Instant at={createdAt} /> },
                { name: t.state, show: ({ enabled }) => <RuleState enabled={enabled} /> },
                {
                  name: t.act,
                  // A click within its dialog is none on the row.
                  show: (rule) => (
                    <div onClick={(event) => event.stopPropagation()}>
                      <RuleSwitch rule={rule} onDone={rules.reload} />
                    </div>
                  ),
                },
              ]}
            />
          )
        }
      </WhenLoaded>
      <Tables />
    </>
  );
}

function NewRuleButton() {
  const t = useTexts(T);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="main" onClick={() => setOpen(true)}>
        {t.make}
      </Button>
      {isOpen && (
        <Dialog title={t.make} onClose={() => setOpen(false)}>
          <ChooseTemplate />
        </Dialog>
      )}
    </>
  );
}

function ChooseTemplate() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const [, go] = useLocation();
  const [chosen, setChosen] = useState('');
  const templates = useLoaded<RuleTemplateList>(path('rule-templates'));
  return (
    <WhenLoaded of={templates}>
      {({ items }) => {
        const template = items.find(({ name }) => name === chosen);
        return (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              go(`${href('new-rule')}${chosen && `?template=${encodeURIComponent(chosen)}`}`);
            }}
          >
            <Field label={t.beginWith}>
              {(given) => (
                <select
                  {...given}
                  value={chosen}
                  onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                >
                  <option value="">{t.empty}</option>
                  {items.map(({ name }) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <div aria-live="polite">
              {template && (
                <p>
                  <ActsOn event={template.event} />
                </p>
              )}
              <p>{template ? template.description : t.emptySays}</p>
            </div>
            <footer>
              <button type="submit" class="button main">
                {t.begin}
              </button>
            </footer>
          </form>
        );
      }}
    </WhenLoaded>
  );
}

function Tables() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const { count } = useFormats();
  const tables = useLoaded<TableList>(path('tables'));
  return (
    <Section title={t.tables}>
      <p>{t.tablesSay}</p>
      <WhenLoaded of={tables}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>{t.noTables}</Nothing>
          ) : (
            <Table
              caption={t.tables}
              rows={items}
              keyOf={({ name }) => name}
              hrefOf={({ name }) => href('tables', name)}
              columns={[
                { name: t.table, show: ({ name }) => <Link href={href('tables', name)}>{name}</Link> },
                {
                  ...{ name: t.entries, isNumber: true },
                  show: ({ entries }) => count(Object.keys(entries).length),
                },
              ]}
            />
          )
        }
      </WhenLoaded>
      <NewTable />
    </Section>
  );
}

function NewTable() {
  const t = useTexts(T);
  const href = useHref();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  return (
    <form
      class="below"
      onSubmit={(event) => {
        event.preventDefault();
        go(`${href('tables', name.trim())}?new=1`);
      }}
    >
      <Field label={t.tableName} hint={t.tableHint}>
        {(given) => (
          <input
            {...given}
            value={name}
            required
            maxLength={63}
            pattern="\s*[a-z][A-Za-z0-9_]*\s*"
            autoComplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <button type="submit" class="button">
        {t.makeTable}
      </button>
    </form>
  );
}

function firstSentence(text: string): string {
  const [first = text] = text.split(/(?<=\.)\s/);
  return first;
}
