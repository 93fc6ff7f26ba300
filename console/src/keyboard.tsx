import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { PAGES } from './pages';
import { useHref } from './session';
import { texts, textsIn, useTexts } from './texts';
import { usePreferences } from './preferences';
import { Dialog } from './ui/basics';

const T = texts(
  {
    title: 'Keys',
    search: 'search',
    rows: 'move through a table',
    open: 'open the row',
    help: 'this list',
  },
  {
    title: 'Teclas',
    search: 'procurar',
    rows: 'andar pela tabela',
    open: 'abrir a linha',
    help: 'esta lista',
  },
);

/** Milliseconds within which the letter after `g` is pressed. */
const TOGETHER_MS = 1_500;

/** Keys that work on every page, unless somebody is writing. */
export function Keyboard() {
  const t = useTexts(T);
  const { language } = usePreferences();
  const href = useHref();
  const [, go] = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let pressedG = -Infinity;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        document.querySelector<HTMLElement>('#search')?.focus();
      } else if (event.key === '?') setOpen(true);
      else if (event.key === 'g') pressedG = performance.now();
      else if (performance.now() - pressedG < TOGETHER_MS) {
        pressedG = -Infinity;
        const page = PAGES.find(({ key }) => key === event.key);
        if (page) go(href(...page.path));
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [href, go]);
  if (!isOpen) return null;
  return (
    <Dialog title={t.title} onClose={() => setOpen(false)}>
      <dl class="keys">
        {PAGES.flatMap(({ key, menu }) =>
          key && menu ? [<Key key={key} keys={['g', key]} does={textsIn(menu, language).name} />] : [],
        )}
        <Key keys={['/']} does={t.search} />
        <Key keys={['j', 'k']} does={t.rows} />
        <Key keys={['Enter']} does={t.open} />
        <Key keys={['?']} does={t.help} />
      </dl>
    </Dialog>
  );
}

function Key({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, dialog, [contenteditable], .editor') !== null
  );
}
