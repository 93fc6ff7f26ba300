import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { BooksCustomerView } from '../../../src/admin/books/books.dto';
import { usePages } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Field, Heading, Listed } from '../ui/basics';
import { Table } from '../ui/table';
import { BooksTabs } from './books-tabs';

const T = texts(
  {
    title: 'Customers',
    caption: 'Customers',
    search: 'Part of the name, or CPF or CNPJ',
    find: 'Find',
    name: 'Name',
    document: 'CPF or CNPJ',
    email: 'E-mail',
    none: 'There is no such customer.',
  },
  {
    title: 'Clientes',
    caption: 'Clientes',
    search: 'Parte do nome, ou CPF ou CNPJ',
    find: 'Procurar',
    name: 'Nome',
    document: 'CPF ou CNPJ',
    email: 'E-mail',
    none: 'Não há tal cliente.',
  },
);

/** The customers of the books; documents and addresses are masked. */
export function Customers() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  // Not in the page's address: names and documents would stay in the browser's history.
  const [search, setSearch] = useState('');
  const [text, setText] = useState('');
  const list = usePages<BooksCustomerView>(path('books', 'customers'), {
    search,
  });
  return (
    <>
      <Heading title={t.title} />
      <BooksTabs />
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(text.trim());
        }}
      >
        <Field label={t.search}>
          {(given) => (
            <input
              {...given}
              type="search"
              value={text}
              maxLength={200}
              autoComplete="off"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" class="button">
          {t.find}
        </button>
      </form>
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => href('customers', id)}
            columns={[
              { name: t.name, show: ({ id, name }) => <Link href={href('customers', id)}>{name}</Link> },
              { name: t.document, show: ({ document }) => document ?? '–' },
              { name: t.email, show: ({ email }) => email ?? '–' },
            ]}
          />
        )}
      </Listed>
    </>
  );
}
