/** What somebody has written and not put yet: it is there again when they come back to the page. */
export interface Draft {
  readonly text: string;
  /** The version in force when they began; undefined: there was none. */
  readonly version: number | undefined;
}

const drafts = new Map<string, Draft>();

// Whoever closes the browser's tab is asked first.
addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

/** @param place what is written: one rule of an organization */
export function draftOf(place: string): Draft | undefined {
  return drafts.get(place);
}

/** @param draft undefined: there is none any more */
export function keepDraft(place: string, draft: Draft | undefined): void {
  if (draft) drafts.set(place, draft);
  else drafts.delete(place);
}
