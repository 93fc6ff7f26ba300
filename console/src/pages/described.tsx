import { useEffect, useState } from 'preact/hooks';
import { usePreferences } from '../preferences';

type Texts = ReadonlyMap<string, string>;

/** What Ponte says of a setting or a credential: in the reader's language where that is known, else in English. */
export function Described({ text }: { text: string }) {
  const { language } = usePreferences();
  const [texts, setTexts] = useState<Texts>();
  useEffect(() => {
    // Only who reads Portuguese needs them. Without them the English is there.
    if (language === 'pt-BR')
      import('./provider-texts').then(
        ({ PORTUGUESE }) => setTexts(PORTUGUESE),
        () => undefined,
      );
  }, [language]);
  const translated = language === 'pt-BR' ? texts?.get(text) : undefined;
  return translated === undefined ? <span lang="en">{text}</span> : <>{translated}</>;
}
