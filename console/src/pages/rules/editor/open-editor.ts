import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { history, historyKeymap, indentWithTab, standardKeymap, toggleComment } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { DocumentProblem } from '../../../../../src/admin/rules/rules.dto';
import { ruleCompletion, type Vocabulary } from './completion';
import { LOOK } from './look';

/** Milliseconds after Escape for which Tab leaves the editor. */
const TAB_LEAVES_MS = 10_000;

export interface EditorOptions {
  readonly text: string;
  /** What the editor is called for those who do not see it. */
  readonly label: string;
  /** How it is left by keyboard, said with the label. */
  readonly hint: string;
  readonly vocabulary: () => Vocabulary;
  readonly onChange: (text: string) => void;
}

/** An editor of a rule's document. */
export interface Editor {
  /** Replaces the text, unless it is that already. */
  setText(text: string): void;
  showProblems(problems: readonly DocumentProblem[]): void;
  /** Puts the cursor there, and the focus into the editor. @param line and column from 1 */
  goTo(line: number, column: number): void;
  close(): void;
}

/**
 * Opens an editor within a root of its own: there CodeMirror brings its styles as sheets, which the page's policy allows,
 * and not as elements, which it does not.
 */
export function openEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const place = document.createElement('div');
  const hint = document.createElement('p');
  hint.id = 'hint';
  hint.hidden = true;
  hint.textContent = options.hint;
  root.replaceChildren(place, hint);
  const view = new EditorView({
    parent: place,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(false),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [ruleCompletion(options.vocabulary)], icons: false }),
        yaml(),
        LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          ...{ tabindex: '0', 'aria-label': options.label, 'aria-describedby': 'hint' },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          { key: 'Escape', run: letTabLeave },
          ...historyKeymap,
          ...lintKeymap,
          { key: 'Mod-/', run: toggleComment },
          ...standardKeymap,
          indentWithTab,
        ]),
      ],
    }),
  });
  return {
    setText(text) {
      const { doc } = view.state;
      if (doc.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    },
    showProblems(problems) {
      const diagnostics = problems.map((problem) => diagnosticOf(view.state.doc, problem));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(line, column) {
      const anchor = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

function letTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(TAB_LEAVES_MS);
  return true;
}

function diagnosticOf(doc: Text, { line, column, message }: DocumentProblem): Diagnostic {
  const from = offsetOf(doc, line, column);
  const [word = ''] = /^[\w.-]+|^./u.exec(doc.sliceString(from, doc.lineAt(from).to)) ?? [];
  return { from, to: from + word.length, severity: 'error', message };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}
