import type { ComponentChildren } from 'preact';
import { useSearchParams } from 'wouter-preact';
import { texts, useTexts } from '../texts';
import { Field } from '../ui/basics';

const T = texts({ from: 'From', to: 'To' }, { from: 'De', to: 'Até' });

/** Asks for a period of days, which stands in the address as `from` and `to`. @param children what else is asked for */
export function Period({
  names,
  children,
}: {
  /** What the days are called, where From and To do not say it. */
  names?: { from: string; to: string };
  children?: ComponentChildren;
}) {
  const t = useTexts(T);
  const [search, setSearch] = useSearchParams();
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {children}
      {(['from', 'to'] as const).map((name) => (
        <Field key={name} label={(names ?? t)[name]}>
          {(given) => (
            <input
              {...given}
              type="date"
              value={search.get(name) ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setSearch((before) => withValue(before, name, value))
              }
            />
          )}
        </Field>
      ))}
    </form>
  );
}

/** The search of an address with another value; an empty one is left out. */
export function withValue(search: URLSearchParams, name: string, value: string): URLSearchParams {
  if (value === '') search.delete(name);
  else search.set(name, value);
  return search;
}
