import { Link, useSearchParams } from 'wouter-preact';
import type { PaymentOfDayView } from '../../../src/admin/overview/overview.dto';
import { isDay, today } from '../days';
import { useFormats } from '../format';
import { usePages } from '../loaded';
import { useAdminPath, useHref, useOrganization } from '../session';
import { texts, useTexts } from '../texts';
import { Heading, Listed, Money } from '../ui/basics';
import { Table } from '../ui/table';
import { OriginLinks } from './origin-links';

const T = texts(
  {
    title: (day: string) => `Payments of ${day}`,
    back: 'The day at a glance',
    caption: 'Payments, by their keys',
    booked: 'Booked for',
    payment: 'Payment',
    account: 'Account',
    source: 'Source',
    gateway: 'Payment gateway',
    value: 'Amount',
    none: 'No such payment came in on this day.',
    cut: 'There were too many: not all are listed.',
  },
  {
    title: (day: string) => `Pagamentos de ${day}`,
    back: 'O dia em resumo',
    caption: 'Pagamentos, por suas chaves',
    booked: 'Lançado para',
    payment: 'Pagamento',
    account: 'Conta',
    source: 'Origem',
    gateway: 'Gateway de pagamento',
    value: 'Valor',
    none: 'Nenhum pagamento assim entrou neste dia.',
    cut: 'Foram demais: nem todos estão aqui.',
  },
);

const FILTERS = ['account', 'source', 'gateway', 'withoutSource', 'withoutGateway'] as const;

/** The payments that a sum of a day's money is made of. */
export function Payments() {
  const t = useTexts(T);
  const formats = useFormats();
  const path = useAdminPath();
  const href = useHref();
  const { timeZone, currency } = useOrganization();
  const [search] = useSearchParams();
  const asked = search.get('date') ?? '';
  const date = isDay(asked) ? asked : today(timeZone);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? '']));
  const list = usePages<PaymentOfDayView, { items: PaymentOfDayView[]; complete: boolean }>(
    path('overview', 'payments'),
    { date, ...filters },
  );
  const { first } = list;
  return (
    <>
      <Heading title={t.title(formats.day(date))} />
      <p>
        <Link href={`${href()}?date=${date}`}>{t.back}</Link>
      </p>
      {first && !first.complete && <p class="hint">{t.cut}</p>}
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ payment, account }) => `${account.id} ${payment}`}
            columns={[
              { name: t.booked, show: (row) => <OriginLinks origin={row} /> },
              { name: t.payment, show: ({ payment }) => payment },
              { name: t.source, show: ({ source }) => source ?? '–' },
              { name: t.account, show: ({ account }) => account.name ?? account.id },
              { name: t.gateway, show: ({ gateway }) => gateway ?? '–' },
              {
                name: t.value,
                isNumber: true,
                show: ({ value }) => <Money amount={value} currency={currency} />,
              },
            ]}
          />
        )}
      </Listed>
    </>
  );
}
