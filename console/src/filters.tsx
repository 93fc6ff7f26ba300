import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { Field } from './ui/basics';

/** Milliseconds after the last key until what is written is passed on. */
const WRITTEN_MS = 500;

/** What a list is filtered by, as it stands in the page's address. */
export interface Filters {
  /** Empty: it is not filtered by that. */
  readonly of: (name: string) => string;
  readonly set: (name: string, value: string) => void;
}

export function useFilters(): Filters {
  const [search, setSearch] = useSearchParams();
  return {
    of: (name) => search.get(name) ?? '',
    set: (name, value) =>
      setSearch(
        (before) => {
          if (value === '') before.delete(name);
          else before.set(name, value);
          return before;
        },
        // Who goes back wants the page before, not each letter before.
        { replace: true },
      ),
  };
}

interface Named {
  readonly name: string;
  readonly label: string;
  readonly filters: Filters;
}

/** One of some values, or any. @param any what stands for all of them; undefined: one has to be chosen */
export function ChoiceFilter({
  name,
  label,
  filters,
  any,
  choices,
}: Named & { any?: string; choices: readonly (readonly [value: string, name: string])[] }) {
  return (
    <Field label={label}>
      {(given) => (
        <select
          {...given}
          value={filters.of(name)}
          onChange={({ currentTarget }) => filters.set(name, currentTarget.value)}
        >
          {any !== undefined && <option value="">{any}</option>}
          {choices.map(([value, shown]) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** What is written in a control, and passed on when somebody has stopped writing. */
function useWritten(value: string, pass: (value: string) => void): [string, (written: string) => void] {
  const [written, setWritten] = useState(value);
  useEffect(() => setWritten(value), [value]);
  useEffect(() => {
    if (written.trim() === value) return undefined;
    const timer = setTimeout(() => pass(written.trim()), WRITTEN_MS);
    return () => clearTimeout(timer);
  }, [written]);
  return [written, setWritten];
}

/** Whoever writes a year digit by digit begins with one of long ago. */
const FIRST_DAY = '1900-01-01';

export function DayFilter({ name, label, filters }: Named) {
  const [written, setWritten] = useWritten(filters.of(name), (day) => {
    if (day === '' || day >= FIRST_DAY) filters.set(name, day);
  });
  return (
    <Field label={label}>
      {(given) => (
        <input
          {...given}
          type="date"
          value={written}
          onChange={({ currentTarget }) => setWritten(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Text that has to be exactly so. The list follows when somebody has stopped writing. */
export function TextFilter({
  name,
  label,
  filters,
  suggestions = [],
}: Named & { suggestions?: readonly string[] }) {
  const [written, setWritten] = useWritten(filters.of(name), (text) => filters.set(name, text));
  return (
    <Field label={label}>
      {(given) => (
        <>
          <input
            {...given}
            value={written}
            maxLength={200}
            autoComplete="off"
            spellcheck={false}
            {...(suggestions.length > 0 && { list: `${given.id}-list` })}
            onInput={({ currentTarget }) => setWritten(currentTarget.value)}
          />
          {suggestions.length > 0 && (
            <datalist id={`${given.id}-list`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}
