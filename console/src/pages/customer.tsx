import { Link, useParams } from 'wouter-preact';
import type { BooksStatementView } from '../../../src/admin/books/books.dto';
import { useLoaded, usePages } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Day, Fact, Heading, Listed, Money, Section, WhenLoaded } from '../ui/basics';
import { Table } from '../ui/table';
import { BooksTabs } from './books-tabs';
import { OriginLinks } from './origin-links';

const T = texts(
  {
    untitled: 'Customer',
    document: 'CPF or CNPJ',
    email: 'E-mail',
    masked: 'Documents and addresses are shown in part.',
    totals: 'In all',
    booked: 'Booked',
    received: 'Received',
    discounts: 'Given up',
    open: 'Open',
    overdue: 'Overdue',
    statement: 'Statement',
    tooMany:
      'This customer has more receivables or receipts than a statement is made of. Look at them by period:',
    receivables: 'receivables of this customer',
    caption: 'Statement, the earliest first',
    date: 'Date',
    type: 'What',
    receivable: 'receivable',
    receipt: 'receipt',
    discount: 'given up',
    difference: 'settled otherwise',
    description: 'Description',
    due: 'Due',
    value: 'Amount',
    balance: 'Open after it',
    origin: 'Booked for',
    none: 'Nothing was booked for this customer.',
  },
  {
    untitled: 'Cliente',
    document: 'CPF ou CNPJ',
    email: 'E-mail',
    masked: 'Documentos e endereços são mostrados em parte.',
    totals: 'No total',
    booked: 'Lançado',
    received: 'Recebido',
    discounts: 'Abatido',
    open: 'Em aberto',
    overdue: 'Vencido',
    statement: 'Extrato',
    tooMany:
      'Este cliente tem mais recebíveis ou recebimentos do que cabem num extrato. Veja-os por período:',
    receivables: 'recebíveis deste cliente',
    caption: 'Extrato, os mais antigos primeiro',
    date: 'Data',
    type: 'O quê',
    receivable: 'recebível',
    receipt: 'recebimento',
    discount: 'abatimento',
    difference: 'liquidado de outra forma',
    description: 'Descrição',
    due: 'Vencimento',
    value: 'Valor',
    balance: 'Em aberto depois',
    origin: 'Lançado para',
    none: 'Nada foi lançado para este cliente.',
  },
);

type StatementLine = BooksStatementView['items'][number];

const TOTALS = ['booked', 'received', 'discounts', 'open', 'overdue'] as const;

/** What was booked for a customer, what they paid, and what is open. */
export function Customer() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { id = '' } = useParams();
  const address = path('books', 'customers', id);
  const customer = useLoaded<BooksStatementView>(address, { limit: 1 });
  return (
    <>
      <Heading title={customer.value?.name ?? t.untitled} />
      <BooksTabs />
      <WhenLoaded of={customer}>{(value) => <Shown customer={value} address={address} />}</WhenLoaded>
    </>
  );
}

function Shown({ customer, address }: { customer: BooksStatementView; address: string }) {
  const t = useTexts(T);
  const href = useHref();
  const { id, document, email, currency, totals, isWhole } = customer;
  return (
    <>
      <dl class="facts">
        <Fact name={t.document}>{document ?? '–'}</Fact>
        <Fact name={t.email}>{email ?? '–'}</Fact>
      </dl>
      <p class="hint">{t.masked}</p>
      {totals && (
        <Section title={t.totals}>
          <dl class="facts">
            {TOTALS.map((name) => (
              <Fact key={name} name={t[name]}>
                <Money amount={totals[name]} currency={currency} />
              </Fact>
            ))}
          </dl>
        </Section>
      )}
      <Section title={t.statement}>
        {isWhole ? (
          <Lines address={address} currency={currency} />
        ) : (
          <p>
            {t.tooMany}{' '}
            <Link href={`${href('books', 'receivables')}?state=all&customer=${encodeURIComponent(id)}`}>
              {t.receivables}
            </Link>
          </p>
        )}
      </Section>
    </>
  );
}

function Lines({ address, currency }: { address: string; currency: string }) {
  const t = useTexts(T);
  const list = usePages<StatementLine>(address);
  return (
    <Listed of={list} none={t.none}>
      {(items) => (
        <Table
          caption={t.caption}
          rows={items}
          keyOf={({ type, id }) => `${type} ${id}`}
          columns={[
            { name: t.date, show: ({ date }) => <Day day={date} /> },
            { name: t.type, show: ({ type }) => t[type] },
            { name: t.description, show: ({ description }) => description || '–' },
            { name: t.due, show: ({ dueDate }) => <Day day={dueDate} /> },
            {
              name: t.value,
              isNumber: true,
              show: ({ value }) => <Money amount={value} currency={currency} />,
            },
            {
              name: t.balance,
              isNumber: true,
              show: ({ open }) => <Money amount={open} currency={currency} />,
            },
            { name: t.origin, show: (line) => <OriginLinks origin={line} /> },
          ]}
        />
      )}
    </Listed>
  );
}
