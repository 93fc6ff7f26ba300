import { Link } from 'wouter-preact';
import type { BooksAccountView } from '../../../src/admin/books/books.dto';
import { usePages } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Badge, Heading, Listed, Money } from '../ui/basics';
import { Table } from '../ui/table';
import { BooksTabs } from './books-tabs';

const T = texts(
  {
    title: 'Books',
    caption: 'Accounts with their balances',
    account: 'Account',
    kind: 'Kind',
    ordinary: 'account',
    virtual: 'virtual account (money at a gateway)',
    balance: 'Balance',
    isDefault: 'receipts go here unless something else is said',
    none: 'There is no account yet.',
  },
  {
    title: 'Financeiro',
    caption: 'Contas com seus saldos',
    account: 'Conta',
    kind: 'Tipo',
    ordinary: 'conta',
    virtual: 'conta virtual (dinheiro em um gateway)',
    balance: 'Saldo',
    isDefault: 'recebimentos vão para cá, salvo indicação em contrário',
    none: 'Ainda não há conta.',
  },
);

/** The accounts of the books, with what is in each. */
export function Books() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const list = usePages<BooksAccountView>(path('books', 'accounts'));
  return (
    <>
      <Heading title={t.title} />
      <BooksTabs />
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => href('books', 'accounts', id)}
            columns={[
              {
                name: t.account,
                show: ({ id, name, isDefault }) => (
                  <>
                    <Link href={href('books', 'accounts', id)}>{name}</Link>{' '}
                    {isDefault && <Badge>{t.isDefault}</Badge>}
                  </>
                ),
              },
              { name: t.kind, show: ({ kind }) => (kind === null ? '–' : t[kind]) },
              {
                name: t.balance,
                isNumber: true,
                show: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
              },
            ]}
          />
        )}
      </Listed>
    </>
  );
}
