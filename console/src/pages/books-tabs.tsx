import { Link, useLocation } from 'wouter-preact';
import { useHref } from '../session';
import { texts, useTexts } from '../texts';
import './books.css';

const T = texts(
  { books: 'Parts of the books', accounts: 'Accounts', receivables: 'Receivables', customers: 'Customers' },
  { books: 'Partes do financeiro', accounts: 'Contas', receivables: 'Recebíveis', customers: 'Clientes' },
);

/** Leads to the parts of the books. */
export function BooksTabs() {
  const t = useTexts(T);
  const href = useHref();
  const [current] = useLocation();
  const parts = [
    [t.accounts, href('books'), href('books', 'accounts', '')],
    [t.receivables, href('books', 'receivables'), undefined],
    [t.customers, href('books', 'customers'), href('customers', '')],
  ] as const;
  return (
    <nav class="tabs" aria-label={t.books}>
      {parts.map(([name, address, below]) => (
        <Link
          key={address}
          href={address}
          aria-current={
            current === address ? 'page' : below && current.startsWith(below) ? 'true' : undefined
          }
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
