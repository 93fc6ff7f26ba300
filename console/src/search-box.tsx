import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { write } from './api';
import { asError } from './loaded';
import { useAdminPath, useHref } from './session';
import { texts, useTexts } from './texts';
import { Failure } from './ui/basics';

const T = texts(
  {
    label: 'Search',
    hint: 'Order number, key, document, e-mail',
    none: 'Nothing was found.',
    found: (count: number) => (count === 1 ? 'One thing was found.' : `${count} things were found.`),
    incomplete: 'There is more: say it more exactly.',
    order: 'order',
    customer: 'customer',
    delivery: 'webhook',
    schedule: 'receivable',
  },
  {
    label: 'Procurar',
    hint: 'Número do pedido, chave, documento, e-mail',
    none: 'Nada foi encontrado.',
    found: (count: number) => (count === 1 ? 'Um resultado.' : `${count} resultados.`),
    incomplete: 'Há mais: seja mais exato.',
    order: 'pedido',
    customer: 'cliente',
    delivery: 'webhook',
    schedule: 'recebível',
  },
);

/** One thing that was found. */
interface Found {
  readonly kind: 'order' | 'customer' | 'delivery' | 'schedule';
  readonly title: string;
  readonly businessKey: string | null;
  readonly delivery: string | null;
  readonly customer: string | null;
}

interface Reply {
  readonly items: readonly Found[];
  readonly complete: boolean;
}

/** Searches everything of the organization. What is typed goes into no address: it may be somebody's document. */
export function SearchBox() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const box = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const [reply, setReply] = useState<Reply>();
  const [error, setError] = useState<Error>();
  const close = (): void => {
    setReply(undefined);
    setError(undefined);
  };
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && !box.current?.contains(target)) close();
    };
    document.addEventListener('click', leave);
    return () => document.removeEventListener('click', leave);
  }, []);
  const search = async (): Promise<void> => {
    close();
    try {
      setReply(await write<Reply>('POST', path('search'), { text: text.trim() }));
    } catch (failure) {
      setError(asError(failure));
    }
  };
  return (
    <form
      class="search"
      role="search"
      ref={box}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void search();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <label class="unseen" for="search">
        {t.label}
      </label>
      <input
        id="search"
        type="search"
        maxLength={200}
        placeholder={t.hint}
        autoComplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="found" role="status">
        {error && <Failure error={error} />}
        {reply && (
          <div class="results">
            <p>{reply.items.length === 0 ? t.none : t.found(reply.items.length)}</p>
            <ul>
              {reply.items.map((found, index) => (
                <li key={index}>
                  <Link href={addressOf(found, href)} onClick={close}>
                    <span class="kind">{t[found.kind]}</span> {found.title}
                  </Link>
                </li>
              ))}
            </ul>
            {!reply.complete && <p>{t.incomplete}</p>}
          </div>
        )}
      </div>
    </form>
  );
}

function addressOf(
  { kind, businessKey, delivery, customer }: Found,
  href: (...parts: string[]) => string,
): string {
  if (kind === 'customer' && customer !== null) return href('customers', customer);
  if (kind === 'delivery' && delivery !== null) return href('deliveries', delivery);
  return `${href('orders')}?key=${encodeURIComponent(businessKey ?? '')}`;
}
