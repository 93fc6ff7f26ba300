import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActionList, RuleNamesView } from '../../../../src/admin/rules/actions.dto';
import type { TableList } from '../../../../src/admin/rules/tables.dto';
import { asError, useLoaded } from '../../loaded';
import { usePreferences } from '../../preferences';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { Failure, Section } from '../../ui/basics';
import type { Checked } from './checking';
import type { Vocabulary } from './editor/completion';
import type { Editor } from './editor/open-editor';

const T = texts(
  {
    label: 'Document of the rule',
    leave: 'Tab indents. To leave the editor by keyboard, press Escape and then Tab.',
    complete: 'Ctrl and Space offer what can stand here.',
    loading: 'The editor is loading…',
    checking: 'Checking…',
    valid: 'Nothing is wrong with it.',
    empty: 'The document is empty.',
    problems: (count: number) => (count === 1 ? 'One problem' : `${count} problems`),
    warnings: 'Valid, and seldom meant',
    at: (line: number, column: number) => `Line ${line}, column ${column}`,
    notChecked: 'What is wrong with it is not known',
  },
  {
    label: 'Documento da regra',
    leave: 'Tab recua a linha. Para sair do editor pelo teclado, pressione Esc e depois Tab.',
    complete: 'Ctrl e Espaço oferecem o que cabe aqui.',
    loading: 'Carregando o editor…',
    checking: 'Conferindo…',
    valid: 'Nada de errado.',
    empty: 'O documento está vazio.',
    problems: (count: number) => (count === 1 ? 'Um problema' : `${count} problemas`),
    warnings: 'Válido, mas raramente o que se quer',
    at: (line: number, column: number) => `Linha ${line}, coluna ${column}`,
    notChecked: 'Não se sabe o que está errado',
  },
);

/** The editor of a rule's document, with what is wrong in it below. */
export function DocumentEditor({
  text,
  replaced,
  onChange,
  checked,
}: {
  text: string;
  /** Changes when `text` becomes another one than was written here. */
  replaced: string;
  onChange: (text: string) => void;
  checked: Checked;
}) {
  const t = useTexts(T);
  const { language } = usePreferences();
  const vocabulary = useVocabulary();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>();
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<Error>();
  const latest = useRef({ text, onChange, vocabulary });
  latest.current = { text, onChange, vocabulary };
  useEffect(() => {
    let isGone = false;
    const open = async (): Promise<void> => {
      const { openEditor } = await import('./editor/open-editor');
      if (isGone || !host.current) return;
      editor.current = openEditor(host.current, {
        ...{ text: latest.current.text, label: t.label, hint: `${t.leave} ${t.complete}` },
        vocabulary: () => latest.current.vocabulary,
        onChange: (written) => latest.current.onChange(written),
      });
      setOpen(true);
    };
    open().catch((failure: unknown) => setError(asError(failure)));
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = undefined;
      setOpen(false);
    };
  }, [language]);
  // What is written comes back a moment later, when more may have been written: it is never put in again.
  useEffect(() => editor.current?.setText(latest.current.text), [replaced]);
  const problems = checked.check?.problems ?? [];
  useEffect(() => {
    if (checked.isCurrent) editor.current?.showProblems(problems);
  }, [checked.check, checked.isCurrent, isOpen]);
  return (
    <>
      <p class="hint">
        {t.leave} {t.complete}
      </p>
      {error && <Failure error={error} />}
      {!isOpen && !error && (
        <p class="loading" role="status">
          {t.loading}
        </p>
      )}
      <div class="editor" ref={host} />
      <Findings
        checked={checked}
        isEmpty={text.trim() === ''}
        goTo={(...at) => editor.current?.goTo(...at)}
      />
    </>
  );
}

function Findings({
  checked: { check, isCurrent, error, again },
  isEmpty,
  goTo,
}: {
  checked: Checked;
  isEmpty: boolean;
  goTo: (line: number, column: number) => void;
}) {
  const t = useTexts(T);
  const { problems = [], warnings = [] } = check ?? {};
  const said = isEmpty
    ? t.empty
    : !isCurrent
      ? t.checking
      : problems.length > 0
        ? t.problems(problems.length)
        : t.valid;
  return (
    <div class="findings">
      {error ? (
        <>
          <p>{t.notChecked}</p>
          <Failure error={error} again={again} />
        </>
      ) : (
        <p role="status" class={isCurrent && problems.length > 0 ? 'error' : 'quiet'}>
          {said}
        </p>
      )}
      {!isEmpty && problems.length > 0 && (
        <ul>
          {problems.map(({ line, column, message }) => (
            <li key={`${line}:${column} ${message}`}>
              <button type="button" class="button link" onClick={() => goTo(line, column)}>
                {t.at(line, column)}
              </button>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {!isEmpty && warnings.length > 0 && (
        <Section title={t.warnings}>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

/** What the editor offers. What cannot be read is not offered: the document can be written without it. */
function useVocabulary(): Vocabulary {
  const path = useAdminPath();
  const schema = useLoaded<unknown>(path('rule-schema')).value;
  const actions = useLoaded<ActionList>(path('actions')).value?.items ?? [];
  const names = useLoaded<RuleNamesView>(path('rule-names')).value;
  const tables = useLoaded<TableList>(path('tables')).value?.items ?? [];
  return { schema, actions, names, tables };
}
