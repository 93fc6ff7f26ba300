import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { ApiProblem } from '../api';
import { useFormats } from '../format';
import type { Loaded, LoadedPages } from '../loaded';
import { usePreferences } from '../preferences';
import { problemTitle } from '../problem-titles';
import { texts, useTexts } from '../texts';

const T = texts(
  {
    loading: 'Loading…',
    again: 'Try again',
    failed: 'This could not be read',
    more: 'Show more',
    none: 'There is nothing here.',
    close: 'Close',
    unreachable: 'Ponte cannot be reached',
  },
  {
    loading: 'Carregando…',
    again: 'Tentar de novo',
    failed: 'Não foi possível ler isto',
    more: 'Mostrar mais',
    none: 'Não há nada aqui.',
    close: 'Fechar',
    unreachable: 'Não foi possível falar com o Ponte',
  },
);

/** A page's heading, with what can be done there. It names the browser's tab, too. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Ponte`;
  }, [title]);
  return (
    <header class="heading">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** One thing that is known of what the page is about, in a list of class `facts`. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Decimal text as money; negative amounts are told apart by their sign, not by colour alone. */
export function Money({
  amount,
  currency,
}: {
  amount: string | null | undefined;
  currency?: string | undefined;
}) {
  const { money } = useFormats();
  if (amount === null || amount === undefined) return <span class="absent">–</span>;
  return <span class={amount.startsWith('-') ? 'money negative' : 'money'}>{money(amount, currency)}</span>;
}

export function Instant({ at }: { at: string | Date | null | undefined }) {
  const { instant } = useFormats();
  if (at === null || at === undefined) return <span class="absent">–</span>;
  const text = String(at);
  return <time dateTime={text}>{instant(text)}</time>;
}

export function Day({ day }: { day: string | null | undefined }) {
  const formats = useFormats();
  if (day === null || day === undefined) return <span class="absent">–</span>;
  return <time dateTime={day}>{formats.day(day)}</time>;
}

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'plain';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'type' | 'class'> & {
  kind?: 'plain' | 'main' | 'danger';
  isBusy?: boolean;
};

export function Button({ kind = 'plain', isBusy = false, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      class={`button ${kind}`}
      disabled={isBusy || disabled === true}
      aria-busy={isBusy}
      {...rest}
    />
  );
}

/** A labelled control; what is wrong with its value is read out with it. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (given: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
  }) => ComponentChildren;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** What went wrong, as the API says it. */
export function Failure({ error, again }: { error: Error; again?: (() => void) | undefined }) {
  const t = useTexts(T);
  const { language } = usePreferences();
  const title = error instanceof ApiProblem ? problemTitle(error.problem, language) : t.unreachable;
  const errors = error instanceof ApiProblem ? (error.problem.errors ?? []) : [];
  return (
    <div class="failure" role="alert">
      <strong>{title}</strong>
      <p lang="en">{error.message}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ pointer = '', detail, message, line, column }, index) => (
            <li key={index}>
              {line === undefined ? pointer && <code>{pointer}</code> : <code>{`${line}:${column}`}</code>}{' '}
              {detail ?? message}
            </li>
          ))}
        </ul>
      )}
      {again && <Button onClick={again}>{t.again}</Button>}
    </div>
  );
}

export function Loading() {
  const t = useTexts(T);
  return (
    <p class="loading" role="status">
      {t.loading}
    </p>
  );
}

/** Shows what is read once it is there, and what went wrong where it is not. */
export function WhenLoaded<T>({
  of,
  children,
}: {
  of: Loaded<T>;
  children: (value: T) => ComponentChildren;
}) {
  const { value, error, isLoading, reload } = of;
  return (
    <>
      {error && <Failure error={error} again={reload} />}
      {value === undefined ? isLoading && <Loading /> : children(value)}
    </>
  );
}

/** Text as it is, in its own lines; where it is long it can be scrolled by the arrow keys. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    <pre tabIndex={0} role="group" aria-label={label}>
      {children}
    </pre>
  );
}

export function Nothing({ children }: { children?: ComponentChildren }) {
  const t = useTexts(T);
  return <p class="nothing">{children ?? t.none}</p>;
}

/** The end of a list: that its first page is being read, or the button that reads the next one. */
export function More({ of }: { of: Pick<LoadedPages<unknown>, 'items' | 'isLoading' | 'more'> }) {
  const t = useTexts(T);
  const { items, isLoading, more } = of;
  if (items === undefined && isLoading) return <Loading />;
  if (!more) return null;
  return (
    <p class="more">
      <Button onClick={more} isBusy={isLoading}>
        {t.more}
      </Button>
    </p>
  );
}

/** A list page by page: what went wrong, that it is being read, that there is nothing, or what is made of its items. */
export function Listed<T>({
  of,
  none,
  children,
}: {
  of: LoadedPages<T>;
  /** Said where there is nothing. */
  none: string;
  children: (items: readonly T[]) => ComponentChildren;
}) {
  const { items, error, reload } = of;
  return (
    <>
      {error && <Failure error={error} again={reload} />}
      {items?.length === 0 && <Nothing>{none}</Nothing>}
      {items && items.length > 0 && children(items)}
      <More of={of} />
    </>
  );
}

/** A dialog over the page: the rest waits, Escape closes it, and the focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const t = useTexts(T);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // As long as it is open nothing beside it takes the focus.
      dialog.current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="close" aria-label={t.close} onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
