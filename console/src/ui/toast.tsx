import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which a sentence is shown. */
const SHOWN_MS = 6_000;

let show: (sentence: string) => void = () => undefined;

/** Says at the edge of the page that something was done; screen readers read it out. */
export function say(sentence: string): void {
  show(sentence);
}

export function Toast() {
  const [sentence, setSentence] = useState('');
  useEffect(() => {
    show = setSentence;
  }, []);
  useEffect(() => {
    if (sentence === '') return undefined;
    const timer = setTimeout(() => setSentence(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  return (
    <div class="toast" role="status" aria-live="polite">
      {sentence && <p>{sentence}</p>}
    </div>
  );
}
