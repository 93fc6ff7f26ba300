import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useParams, useSearchParams } from 'wouter-preact';
import type { TableView } from '../../../../src/admin/rules/tables.dto';
import { ApiProblem, get, write } from '../../api';
import { useLoaded } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Button, Field, Heading, Nothing, WhenLoaded } from '../../ui/basics';
import './rules.css';

const T = texts(
  {
    title: (name: string) => `Table ${name}`,
    intro: (name: string) =>
      `Rules look a value up by its key: tables.${name}["key"]. The key "default" answers for every key that is not here.`,
    isNew: 'There is no such table yet: saving it makes it.',
    caption: 'Entries',
    key: 'Key',
    value: 'Value',
    remove: 'Remove',
    removeOf: (key: string) => `Remove the entry ${key}`,
    restore: 'Keep',
    restoreOf: (key: string) => `Keep the entry ${key}`,
    keyOf: (row: number) => `Key of row ${row}`,
    valueOf: (key: string) => `Value of ${key}`,
    add: 'Add an entry',
    none: 'The table is empty.',
    save: 'Save the table',
    saved: 'Rules look values up in the new entries from now on.',
    discard: 'Discard the changes',
    same: 'Nothing is changed.',
    twice: (key: string) => `The key ${key} is there twice.`,
    keyless: 'Each entry needs a key.',
    gone: (key: string, value: string) => `${key}: ${value} goes`,
    comes: (key: string, value: string) => `${key}: ${value} comes`,
    becomes: (key: string, before: string, after: string) => `${key}: ${before} becomes ${after}`,
    goneSays: 'A webhook that needs an entry that is gone waits for a person until it is there again.',
    find: 'Show only what contains',
    meanwhile: 'The table was changed meanwhile',
    meanwhileSays: 'Discard your changes to see it as it is now, and make them again.',
  },
  {
    title: (name: string) => `Tabela ${name}`,
    intro: (name: string) =>
      `As regras procuram um valor pela chave: tables.${name}["chave"]. A chave "default" responde por toda chave que não está aqui.`,
    isNew: 'Ainda não há tal tabela: salvar a cria.',
    caption: 'Entradas',
    key: 'Chave',
    value: 'Valor',
    remove: 'Remover',
    removeOf: (key: string) => `Remover a entrada ${key}`,
    restore: 'Manter',
    restoreOf: (key: string) => `Manter a entrada ${key}`,
    keyOf: (row: number) => `Chave da linha ${row}`,
    valueOf: (key: string) => `Valor de ${key}`,
    add: 'Acrescentar uma entrada',
    none: 'A tabela está vazia.',
    save: 'Salvar a tabela',
    saved: 'A partir de agora as regras consultam as novas entradas.',
    discard: 'Descartar as alterações',
    same: 'Nada foi alterado.',
    twice: (key: string) => `A chave ${key} aparece duas vezes.`,
    keyless: 'Toda entrada precisa de uma chave.',
    gone: (key: string, value: string) => `${key}: ${value} sai`,
    comes: (key: string, value: string) => `${key}: ${value} entra`,
    becomes: (key: string, before: string, after: string) => `${key}: ${before} passa a ${after}`,
    goneSays: 'Um webhook que precisa de uma entrada que saiu espera por alguém até que ela volte.',
    find: 'Mostrar só o que contém',
    meanwhile: 'A tabela foi alterada nesse meio-tempo',
    meanwhileSays: 'Descarte as suas alterações para vê-la como está agora e faça-as de novo.',
  },
);

/** Rows from which on they can be searched. */
const MANY = 15;

/** An entry as it is written. */
interface Row {
  readonly id: number;
  readonly key: string;
  readonly value: string;
  readonly isGone: boolean;
}

/** A lookup table, whose entries are written like a sheet. */
export function LookupTable() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { name = '' } = useParams();
  const [search] = useSearchParams();
  const loaded = useLoaded<TableView>(path('tables', name));
  const { value, error } = loaded;
  const isNew = search.has('new') && error instanceof ApiProblem && error.problem.status === 404;
  return (
    <>
      <Heading title={t.title(name)} />
      <p>{t.intro(name)}</p>
      {isNew && !value ? (
        <>
          <p class="notice">{t.isNew}</p>
          <Entries name={name} entries={{}} onReload={loaded.reload} />
        </>
      ) : (
        <WhenLoaded of={loaded}>
          {({ entries, warnings }) => (
            <>
              {warnings.map((warning) => (
                <p key={warning} class="notice" lang="en">
                  {warning}
                </p>
              ))}
              <Entries key={JSON.stringify(entries)} name={name} entries={entries} onReload={loaded.reload} />
            </>
          )}
        </WhenLoaded>
      )}
    </>
  );
}

function Entries({
  name,
  entries,
  onReload,
}: {
  name: string;
  entries: Readonly<Record<string, string>>;
  onReload: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [rows, setRows] = useState(() => rowsOf(entries));
  const [find, setFind] = useState('');
  const change = (id: number, by: Partial<Row>): void =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...by } : row)));
  const changes = useChanges(entries, rows);
  const problem = useProblem(rows);
  const isShown = ({ key, value }: Row): boolean =>
    `${key}\n${value}`.toLowerCase().includes(find.trim().toLowerCase());
  const save = async (reason: string): Promise<void> => {
    const now = await entriesNow(path('tables', name));
    if (JSON.stringify(rowsOf(now)) !== JSON.stringify(rowsOf(entries)))
      throw new ApiProblem({ status: 409, title: t.meanwhile, detail: t.meanwhileSays });
    const kept = rows.filter(({ isGone }) => !isGone);
    await write('PUT', path('tables', name), {
      entries: Object.fromEntries(kept.map(({ key, value }) => [key, value])),
      reason,
    });
  };
  return (
    <>
      {rows.length > MANY && (
        <Field label={t.find}>
          {(given) => (
            <input
              {...given}
              type="search"
              value={find}
              onInput={({ currentTarget }) => setFind(currentTarget.value)}
            />
          )}
        </Field>
      )}
      {rows.length === 0 ? (
        <Nothing>{t.none}</Nothing>
      ) : (
        <div class="table sheet">
          <table>
            <caption class="unseen">{t.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{t.key}</th>
                <th scope="col">{t.value}</th>
                <th scope="col">{t.remove}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(
                (row, index) =>
                  isShown(row) && (
                    <Entry
                      key={row.id}
                      row={row}
                      number={index + 1}
                      isOwn={row.id < Object.keys(entries).length}
                      onChange={(by) => change(row.id, by)}
                      onDrop={() => setRows(rows.filter(({ id }) => id !== row.id))}
                    />
                  ),
              )}
            </tbody>
          </table>
        </div>
      )}
      <div class="actions below">
        <Button
          onClick={() => {
            setFind('');
            setRows([...rows, { id: nextId(rows), key: '', value: '', isGone: false }]);
          }}
        >
          {t.add}
        </Button>
        {changes.length > 0 && problem === undefined && (
          <Act label={t.save} kind="main" done={t.saved} act={save} onDone={onReload}>
            <ul>
              {changes.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
            {rows.some(({ isGone }) => isGone) && <p>{t.goneSays}</p>}
          </Act>
        )}
        {changes.length > 0 && (
          <Button
            onClick={() => {
              setRows(rowsOf(entries));
              onReload();
            }}
          >
            {t.discard}
          </Button>
        )}
      </div>
      <p role="status" class={problem === undefined ? 'quiet' : 'error'}>
        {problem ?? (changes.length === 0 ? t.same : '')}
      </p>
    </>
  );
}

function Entry({
  row: { key, value, isGone },
  number,
  isOwn,
  onChange,
  onDrop,
}: {
  row: Row;
  number: number;
  /** Whether it is stored: its key is not written anew. */
  isOwn: boolean;
  onChange: (by: Partial<Row>) => void;
  /** Takes an entry off that is not stored. */
  onDrop: () => void;
}) {
  const t = useTexts(T);
  const keyInput = useRef<HTMLInputElement>(null);
  // At once, so that nothing that is typed goes elsewhere.
  useLayoutEffect(() => keyInput.current?.focus(), []);
  return (
    <tr class={isGone ? 'gone' : ''}>
      {isOwn ? (
        <th scope="row">{key}</th>
      ) : (
        <td>
          <input
            aria-label={t.keyOf(number)}
            value={key}
            maxLength={500}
            ref={keyInput}
            autoComplete="off"
            onInput={({ currentTarget }) => onChange({ key: currentTarget.value })}
          />
        </td>
      )}
      <td>
        {isGone ? (
          <s>{value}</s>
        ) : (
          <input
            aria-label={t.valueOf(key)}
            value={value}
            maxLength={500}
            autoComplete="off"
            onInput={({ currentTarget }) => onChange({ value: currentTarget.value })}
          />
        )}
      </td>
      <td>
        <Button
          aria-label={isGone ? t.restoreOf(key) : t.removeOf(key)}
          onClick={() => (isOwn ? onChange({ isGone: !isGone }) : onDrop())}
        >
          {isGone ? t.restore : t.remove}
        </Button>
      </td>
    </tr>
  );
}

/** The entries as they are stored; none where there is no such table. */
async function entriesNow(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    return (await get<TableView>(path)).entries;
  } catch (failure) {
    if (failure instanceof ApiProblem && failure.problem.status === 404) return {};
    throw failure;
  }
}

function rowsOf(entries: Readonly<Record<string, string>>): Row[] {
  const sorted = Object.entries(entries).sort(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([key, value], id) => ({ id, key, value, isGone: false }));
}

function nextId(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ id }) => id)) + 1;
}

/** What would become of each entry that is not as it was, in sentences. */
function useChanges(entries: Readonly<Record<string, string>>, rows: readonly Row[]): string[] {
  const t = useTexts(T);
  const before = new Map(Object.entries(entries));
  return rows.flatMap(({ key, value, isGone }) => {
    const was = before.get(key);
    if (isGone) return [t.gone(key, value)];
    if (was === undefined) return [t.comes(key, value)];
    return was === value ? [] : [t.becomes(key, was, value)];
  });
}

/** Why the entries cannot be stored as they are written; undefined: they can. */
function useProblem(rows: readonly Row[]): string | undefined {
  const t = useTexts(T);
  const keys = rows.filter(({ isGone }) => !isGone).map(({ key }) => key);
  if (keys.includes('')) return t.keyless;
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  return twice === undefined ? undefined : t.twice(twice);
}
