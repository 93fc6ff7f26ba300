import { useRef } from 'preact/hooks';
import { texts, useTexts } from '../texts';
import { Button } from './basics';
import './copyable.css';
import { say } from './toast';

const T = texts(
  {
    copy: 'Copy',
    copied: 'Copied.',
    byHand: 'The browser does not let pages copy here: it is selected, press Ctrl+C.',
  },
  {
    copy: 'Copiar',
    copied: 'Copiado.',
    byHand: 'O navegador não deixa a página copiar aqui: o texto está selecionado, aperte Ctrl+C.',
  },
);

/** A text to be taken elsewhere, with a button that copies it. @param name what it is, for whoever hears the button */
export function Copyable({ text, name }: { text: string; name: string }) {
  const t = useTexts(T);
  const shown = useRef<HTMLElement>(null);
  const byHand = (): void => {
    if (shown.current) getSelection()?.selectAllChildren(shown.current);
    say(t.byHand);
  };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say(t.copied);
    } catch {
      // Browsers have no clipboard for pages that did not come by https, and people may forbid it.
      byHand();
    }
  };
  return (
    <p class="copyable">
      <code ref={shown}>{text}</code>
      <Button onClick={() => void copy()} aria-label={`${t.copy}: ${name}`}>
        {t.copy}
      </Button>
    </p>
  );
}
