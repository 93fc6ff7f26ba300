import { Link, useParams, useSearchParams } from 'wouter-preact';
import type { BooksAccountView, BooksEntryView } from '../../../src/admin/books/books.dto';
import { usePages } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Day, Heading, Listed, Money } from '../ui/basics';
import { Table } from '../ui/table';
import { BooksTabs } from './books-tabs';
import { OriginLinks } from './origin-links';
import { Period } from './period';

const T = texts(
  {
    untitled: 'Account',
    balance: 'Balance today',
    caption: 'Entries of the account, newest first',
    date: 'Date',
    type: 'Kind',
    description: 'Description',
    party: 'Customer or supplier',
    origin: 'Booked for',
    opening: 'opening balance',
    receipt: 'receipt',
    payment: 'payment',
    transfer: 'transfer',
    value: 'Amount',
    none: 'There is no entry in this period.',
  },
  {
    untitled: 'Conta',
    balance: 'Saldo de hoje',
    caption: 'Lançamentos da conta, os mais novos primeiro',
    date: 'Data',
    type: 'Tipo',
    description: 'Descrição',
    party: 'Cliente ou fornecedor',
    origin: 'Lançado para',
    opening: 'saldo inicial',
    receipt: 'recebimento',
    payment: 'pagamento',
    transfer: 'transferência',
    value: 'Valor',
    none: 'Não há lançamento neste período.',
  },
);

/** Of these the account's name and balance are taken: no operation shows one alone. */
const MOST_ACCOUNTS = 200;

/** The entries of one account, by period. */
export function Account() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const period = { from: search.get('from') ?? '', to: search.get('to') ?? '' };
  const accounts = usePages<BooksAccountView>(path('books', 'accounts'), { limit: MOST_ACCOUNTS });
  const account = accounts.items?.find((one) => one.id === id);
  const list = usePages<BooksEntryView>(path('books', 'accounts', id, 'entries'), period);
  return (
    <>
      <Heading title={account ? account.name : t.untitled} />
      <BooksTabs />
      {account && (
        <p>
          {t.balance}: <Money amount={account.balance} currency={account.currency} />
        </p>
      )}
      <Period />
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={(entry) => entry.id}
            columns={[
              { name: t.date, show: ({ date }) => <Day day={date} /> },
              { name: t.type, show: ({ type }) => t[type] },
              { name: t.description, show: ({ description }) => description || '–' },
              { name: t.party, show: (entry) => <Party entry={entry} /> },
              { name: t.origin, show: (entry) => <OriginLinks origin={entry} /> },
              {
                name: t.value,
                isNumber: true,
                show: ({ value }) => <Money amount={value} currency={account?.currency} />,
              },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

function Party({ entry: { type, customerOrSupplier } }: { entry: BooksEntryView }) {
  const href = useHref();
  if (!customerOrSupplier) return <span class="absent">–</span>;
  const { id, name } = customerOrSupplier;
  // Suppliers have no statement here.
  return type === 'receipt' ? <Link href={href('customers', id)}>{name}</Link> : <>{name}</>;
}
