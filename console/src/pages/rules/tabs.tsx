import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';

export interface Tab {
  /** Stands in the address. */
  readonly id: string;
  readonly name: string;
  readonly content: ComponentChildren;
  /** Once it was looked at it stays, so that nothing in it is lost. */
  readonly isKept?: boolean;
}

/** Parts of a page of which one is looked at; the arrow keys go from one to the next. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const [search, setSearch] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const [seen] = useState(() => new Set<string>());
  const [first] = tabs;
  const current = tabs.find(({ id }) => id === search.get('part')) ?? first;
  if (current) seen.add(current.id);
  const show = (index: number): void => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (!tab) return;
    setSearch((before) => {
      before.set('part', tab.id);
      return before;
    });
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {tabs.map(({ id, name }, index) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === current?.id}
            aria-controls={`panel-${id}`}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => show(index)}
            onKeyDown={({ key }) => {
              const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[key];
              if (to !== undefined) show(to);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ id, content, isKept }) => (
        <div
          key={id}
          role="tabpanel"
          id={`panel-${id}`}
          aria-labelledby={`tab-${id}`}
          hidden={id !== current?.id}
        >
          {((isKept === true && seen.has(id)) || id === current?.id) && content}
        </div>
      ))}
    </>
  );
}
