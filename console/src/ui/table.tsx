import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

export interface Column<T> {
  /** What stands above it. */
  readonly name: string;
  /** Numbers and amounts stand to the right. */
  readonly isNumber?: boolean;
  readonly show: (row: T) => ComponentChildren;
}

/**
 * A table that can be walked with the arrow keys (or j and k); Enter opens the row. The first cell of a row that leads
 * somewhere has the link.
 */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
  hrefOf,
}: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  hrefOf?: (row: T) => string | undefined;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [, go] = useLocation();
  const move = (from: Element, by: number): void => {
    const all = [...(body.current?.rows ?? [])];
    const to = all[all.findIndex((row) => row === from) + by];
    to?.focus();
  };
  return (
    <div class="table" tabIndex={-1}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => {
            const href = hrefOf?.(row);
            return (
              <tr
                key={keyOf(row)}
                class={href ? 'leads' : ''}
                tabIndex={href && index === 0 ? 0 : -1}
                onClick={(event) => {
                  const target = event.target as Element;
                  const isOwn = target.closest('a, button, input, select') !== null;
                  if (href && !isOwn && getSelection()?.isCollapsed !== false) go(href);
                }}
                onKeyDown={(event) => {
                  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
                    return;
                  const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
                  if (by !== undefined) {
                    event.preventDefault();
                    move(event.currentTarget, by);
                  } else if (event.key === 'Enter' && href) go(href);
                }}
              >
                {columns.map(({ name, isNumber, show }) => (
                  <td key={name} class={isNumber ? 'number' : ''}>
                    {show(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
