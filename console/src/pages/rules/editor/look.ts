import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours are the page's own variables, which reach into the editor: it changes with the theme. */
const THEME = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--quiet)',
    borderRadius: '6px',
    fontSize: '0.95rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, monospace',
    lineHeight: '1.55',
    minHeight: '18rem',
    maxHeight: '70vh',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--code)',
    color: 'var(--quiet)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-soft)' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--quiet)',
    borderRadius: '6px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--accent-text)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'bold' },
  '.cm-tooltip.cm-completionInfo': { maxWidth: '24rem', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic': { fontFamily: 'system-ui, sans-serif', whiteSpace: 'normal' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--bad)' },
  '.cm-expression': { backgroundColor: 'var(--code)', borderRadius: '3px' },
});

const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--warn)' },
  { tag: [tags.keyword, tags.typeName, tags.labelName, tags.meta], color: 'var(--bad)' },
  { tag: [tags.punctuation, tags.separator], color: 'var(--quiet)' },
]);

const mark = Decoration.mark({ class: 'cm-expression' });
const matcher = new MatchDecorator({ regexp: /\$\{[^{}]*\}/g, decoration: () => mark });

const EXPRESSIONS = ViewPlugin.define(
  (view) => {
    let decorations = matcher.createDeco(view);
    return {
      get decorations() {
        return decorations;
      },
      update(update: ViewUpdate) {
        decorations = matcher.updateDeco(update, decorations);
      },
    };
  },
  { decorations: (plugin) => plugin.decorations },
);

export const LOOK: Extension = [THEME, syntaxHighlighting(HIGHLIGHT), EXPRESSIONS];
