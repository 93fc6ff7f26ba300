import { useSyncExternalStore } from 'preact/compat';

/** What somebody has chosen in this browser. */
export interface Preferences {
  readonly language: Language;
  /** `system`: as the device is set. */
  readonly theme: 'system' | 'light' | 'dark';
}

export type Language = 'en' | 'pt-BR';
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português' };

const KEY = 'ponte-console';
const listeners = new Set<() => void>();
let current = read();
apply();

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
  apply();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Preferences {
  const stored = storedChoice();
  const isPortuguese = navigator.language.toLowerCase().startsWith('pt');
  return {
    language:
      stored.language === 'en' || stored.language === 'pt-BR'
        ? stored.language
        : isPortuguese
          ? 'pt-BR'
          : 'en',
    theme: stored.theme === 'light' || stored.theme === 'dark' ? stored.theme : 'system',
  };
}

function storedChoice(): Partial<Record<keyof Preferences, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

function apply(): void {
  document.documentElement.lang = current.language;
  document.documentElement.dataset['theme'] = current.theme;
}
