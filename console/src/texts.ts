import { type Language, usePreferences } from './preferences';

/** The same texts in each language: a text, or what makes one of values. */
type Texts = Readonly<Record<string, string | ((...values: never[]) => string)>>;
type Same<T extends Texts> = { readonly [Name in keyof T]: T[Name] extends string ? string : T[Name] };

export type Translated<T extends Texts> = { readonly en: T; readonly 'pt-BR': Same<T> };

/** The texts of one page or component, in every language: the compiler misses none. */
export function texts<const T extends Texts>(en: T, portuguese: Same<T>): Translated<T> {
  return { en, 'pt-BR': portuguese };
}

export function useTexts<T extends Texts>(translated: Translated<T>): Same<T> {
  const { language } = usePreferences();
  return textsIn(translated, language);
}

export function textsIn<T extends Texts>(translated: Translated<T>, language: Language): Same<T> {
  return translated[language] as Same<T>;
}

/** The text for a word of the API; the word itself where there is none, as of an API that is newer than the page. */
export function wordOf(texts: Texts, word: string): string {
  const text = texts[word];
  return typeof text === 'string' ? text : word;
}
