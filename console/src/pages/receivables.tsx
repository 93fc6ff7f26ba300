import { Link, useSearchParams } from 'wouter-preact';
import type { BooksReceivableView } from '../../../src/admin/books/books.dto';
import { useFormats } from '../format';
import { usePages } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Badge, Day, Field, Heading, Listed, Money } from '../ui/basics';
import { Table } from '../ui/table';
import { BooksTabs } from './books-tabs';
import { OriginLinks } from './origin-links';
import { Period, withValue } from './period';

const T = texts(
  {
    title: 'Receivables',
    caption: 'Receivables',
    state: 'Which',
    all: 'All',
    open: 'Open',
    overdue: 'Overdue',
    paid: 'Paid',
    due: 'Due',
    from: 'Due from',
    to: 'Due until',
    ofCustomer: (name: string) => (name === '' ? 'Of one customer alone.' : `Of ${name} alone.`),
    ofAll: 'Show those of all',
    customer: 'Customer',
    description: 'Description',
    instalment: 'Instalment',
    value: 'Amount',
    left: 'Open',
    status: 'State',
    isPaid: 'paid',
    isOpen: 'open',
    overdueBy: (days: number, written: string) =>
      days === 1 ? 'overdue by 1 day' : `overdue by ${written} days`,
    origin: 'Booked for',
    none: 'There is no receivable like this.',
  },
  {
    title: 'Recebíveis',
    caption: 'Recebíveis',
    state: 'Quais',
    all: 'Todos',
    open: 'Em aberto',
    overdue: 'Vencidos',
    paid: 'Recebidos',
    due: 'Vencimento',
    from: 'Vencimento de',
    to: 'Vencimento até',
    ofCustomer: (name: string) => (name === '' ? 'Só de um cliente.' : `Só de ${name}.`),
    ofAll: 'Mostrar os de todos',
    customer: 'Cliente',
    description: 'Descrição',
    instalment: 'Parcela',
    value: 'Valor',
    left: 'Em aberto',
    status: 'Situação',
    isPaid: 'recebido',
    isOpen: 'em aberto',
    overdueBy: (days: number, written: string) =>
      days === 1 ? 'vencido há 1 dia' : `vencido há ${written} dias`,
    origin: 'Lançado para',
    none: 'Não há recebível assim.',
  },
);

const STATES = ['open', 'overdue', 'paid', 'all'] as const;
/** Decimal text of nothing. */
const ZERO = /^-?0+(\.0+)?$/;

/** What customers owe, or paid. */
export function Receivables() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const [search, setSearch] = useSearchParams();
  const state = search.get('state') ?? 'open';
  const customer = search.get('customer') ?? '';
  const query = { state, customer, from: search.get('from') ?? '', to: search.get('to') ?? '' };
  const list = usePages<BooksReceivableView>(path('books', 'receivables'), query);
  return (
    <>
      <Heading title={t.title} />
      <BooksTabs />
      <Period names={{ from: t.from, to: t.to }}>
        <Field label={t.state}>
          {(given) => (
            <select
              {...given}
              value={state}
              onChange={({ currentTarget: { value } }) =>
                setSearch((before) => withValue(before, 'state', value))
              }
            >
              {STATES.map((name) => (
                <option key={name} value={name}>
                  {t[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Period>
      {customer !== '' && (
        <p>
          {t.ofCustomer(list.items?.[0]?.customer?.name ?? '')}{' '}
          <Link href={`${href('books', 'receivables')}?state=${encodeURIComponent(state)}`}>{t.ofAll}</Link>
        </p>
      )}
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: t.due, show: ({ dueDate }) => <Day day={dueDate} /> },
              {
                name: t.customer,
                show: ({ customer }) =>
                  customer ? <Link href={href('customers', customer.id)}>{customer.name}</Link> : '–',
              },
              { name: t.description, show: ({ description }) => description || '–' },
              { name: t.instalment, show: ({ instalment }) => instalment ?? '–' },
              { name: t.status, show: (receivable) => <State receivable={receivable} /> },
              { name: t.value, isNumber: true, show: ({ value }) => <Money amount={value} /> },
              { name: t.left, isNumber: true, show: ({ open }) => <Money amount={open} /> },
              { name: t.origin, show: (receivable) => <OriginLinks origin={receivable} /> },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

function State({ receivable: { open, overdueDays } }: { receivable: BooksReceivableView }) {
  const t = useTexts(T);
  const { count } = useFormats();
  if (ZERO.test(open)) return <Badge tone="good">{t.isPaid}</Badge>;
  return overdueDays > 0 ? (
    <Badge tone="bad">{t.overdueBy(overdueDays, count(overdueDays))}</Badge>
  ) : (
    <Badge>{t.isOpen}</Badge>
  );
}
