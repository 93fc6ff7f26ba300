import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useFormats } from '../../format';
import type { LoadedPages } from '../../loaded';
import { useHref } from '../../session';
import { texts, useTexts } from '../../texts';
import { Fact, Failure, Field, Instant, Money } from '../../ui/basics';

const T = texts(
  {
    loading: 'Loading…',
    show: 'Show',
    about: 'About',
    delivery: 'Webhook',
    open: 'open it',
    value: 'Amount',
    toDo: 'What to do:',
    since: 'Since',
  },
  {
    loading: 'Carregando…',
    show: 'Mostrar',
    about: 'Sobre',
    delivery: 'Webhook',
    open: 'abrir',
    value: 'Valor',
    toDo: 'O que fazer:',
    since: 'Desde',
  },
);

/** Whether something is written as an amount, and is none: there is nothing to show. */
const ZERO = /^-?0*(\.0*)?$/;

/** One kind of what needs a person. Where there is nothing of it, it is one line, which can be opened. */
export function Kind({
  title,
  none,
  count,
  list,
  isOpen = false,
  children,
}: {
  title: string;
  /** Said where nothing is open. */
  none: string;
  /** How many are open, as people write it; empty: none. */
  count: string;
  list: Pick<LoadedPages<unknown>, 'items' | 'error' | 'reload'>;
  /** Also where there is nothing of it. */
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  const t = useTexts(T);
  const { items, error, reload } = list;
  return (
    <details class="section kind" open={isOpen || count !== '' || error !== undefined}>
      <summary>
        <h2>{title}</h2> {count !== '' && <span class="badge bad">{count}</span>}
        {items && count === '' && <span class="quiet">{none}</span>}
        {!items && !error && <span class="loading">{t.loading}</span>}
      </summary>
      {error && <Failure error={error} again={reload} />}
      {children}
    </details>
  );
}

/** How many there are: exactly where the list is whole, or the number that is known from elsewhere. */
export function useCount(): (
  loaded: number,
  isMore: boolean,
  known?: { count: number; isExact: boolean },
) => string {
  const formats = useFormats();
  return (loaded, isMore, known) => {
    if (loaded === 0 && !isMore) return '';
    if (!isMore) return formats.count(loaded);
    if (!known || known.count < loaded) return `${formats.count(loaded)}+`;
    return `${formats.count(known.count)}${known.isExact ? '' : '+'}`;
  };
}

/** Chooses which of a kind are shown. */
export function Choice<S extends string>({
  value,
  choices,
  onChange,
}: {
  value: S;
  choices: readonly (readonly [value: S, name: string])[];
  onChange: (value: S) => void;
}) {
  const t = useTexts(T);
  return (
    <Field label={t.show}>
      {(given) => (
        <select
          {...given}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = choices.find(([name]) => name === currentTarget.value);
            if (chosen) onChange(chosen[0]);
          }}
        >
          {choices.map(([name, shown]) => (
            <option key={name} value={name}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Something that a person decides about: what it is, why, and what can be done. */
export function Need({
  title,
  at,
  businessKey,
  delivery = null,
  value = null,
  currency,
  toDo,
  facts,
  acts,
  children,
}: {
  title: ComponentChildren;
  at: string | Date;
  businessKey: string | null;
  /** The delivery that it came of; null: none. */
  delivery?: string | null;
  /** Decimal text. */
  value?: string | null | undefined;
  currency?: string | undefined;
  /** A sentence. */
  toDo?: string | undefined;
  /** More of it: `dt` and `dd` in a `div` each. */
  facts?: ComponentChildren;
  acts?: ComponentChildren;
  /** Why. */
  children?: ComponentChildren;
}) {
  const t = useTexts(T);
  const href = useHref();
  return (
    <li class="need">
      <h3>{title}</h3>
      {children}
      <dl class="facts">
        <Fact name={t.since}>
          <Instant at={at} />
        </Fact>
        {value !== null && !ZERO.test(value) && (
          <Fact name={t.value}>
            <Money amount={value} currency={currency} />
          </Fact>
        )}
        {businessKey !== null && (
          <Fact name={t.about}>
            <About businessKey={businessKey} />
          </Fact>
        )}
        {delivery !== null && (
          <Fact name={t.delivery}>
            <Link href={href('deliveries', delivery)}>{t.open}</Link>
          </Fact>
        )}
        {facts}
      </dl>
      {toDo !== undefined && (
        <p>
          <strong>{t.toDo}</strong> {toDo}
        </p>
      )}
      {acts && <div class="actions">{acts}</div>}
    </li>
  );
}

/** What something is about: the life of an order, or the source that it names. */
function About({ businessKey }: { businessKey: string }) {
  const href = useHref();
  const [, source] = /^([^/]+)\/source$/.exec(businessKey) ?? [];
  if (source !== undefined) return <Link href={href('sources', source)}>{source}</Link>;
  return <Link href={`${href('orders')}?key=${encodeURIComponent(businessKey)}`}>{businessKey}</Link>;
}
