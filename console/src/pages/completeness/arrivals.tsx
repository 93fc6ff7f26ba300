import { Link } from 'wouter-preact';
import type { CompletenessView, UnattachedView } from '../../../../src/admin/completeness/completeness.dto';
import { useFormats } from '../../format';
import { usePreferences } from '../../preferences';
import { useHref } from '../../session';
import { texts, useTexts } from '../../texts';
import { Day, Instant, Section } from '../../ui/basics';
import { Table } from '../../ui/table';
import { ARRIVAL_NAMES, CODES } from './words';

const T = texts(
  {
    list: "The shop's own list",
    isWhole:
      'All that changed in the shop since the first day was compared with its list: no order is missing.',
    isNotWhole:
      'The period was not compared with the shop’s list as a whole: orders may be missing that no webhook brought.',
    comparedSpan: 'Compared from',
    until: 'until',
    arrived: 'How they became known:',
    missed: 'Orders that no webhook brought, found in the list:',
    unattached: 'Webhooks that are not done and are about no order that is known',
    unattachedSays: 'They may be about an order of the period.',
    received: 'Received',
    topic: 'Topic',
    about: 'About',
    what: 'What it is',
    reason: 'Reason',
  },
  {
    list: 'A lista da própria loja',
    isWhole:
      'Tudo o que mudou na loja desde o primeiro dia foi comparado com a lista dela: não falta pedido.',
    isNotWhole:
      'O período não foi comparado por inteiro com a lista da loja: podem faltar pedidos que nenhum webhook trouxe.',
    comparedSpan: 'Comparada de',
    until: 'até',
    arrived: 'Como ficaram conhecidos:',
    missed: 'Pedidos que nenhum webhook trouxe, achados na lista:',
    unattached: 'Webhooks não concluídos, sobre nenhum pedido conhecido',
    unattachedSays: 'Podem ser sobre um pedido do período.',
    received: 'Recebido',
    topic: 'Assunto',
    about: 'Sobre',
    what: 'O que é',
    reason: 'Motivo',
  },
);

/** How far it is known that no order is missing. */
export function ListState({ report: { list, arrivals, missedByWebhooks } }: { report: CompletenessView }) {
  const t = useTexts(T);
  const { count } = useFormats();
  const href = useHref();
  const { language } = usePreferences();
  const known = arrivals.filter((row) => row.count > 0);
  return (
    <Section title={t.list}>
      <p>{list.isWhole ? t.isWhole : t.isNotWhole}</p>
      {list.obstacle !== null && (
        <p class="hint">
          {t.reason}: {list.obstacle}
        </p>
      )}
      {list.comparedFrom !== null && list.comparedUntil !== null && (
        <p>
          {t.comparedSpan} <Instant at={list.comparedFrom} /> {t.until} <Instant at={list.comparedUntil} />
        </p>
      )}
      {known.length > 0 && (
        <p>
          {t.arrived}{' '}
          {known.map((row) => `${count(row.count)} ${ARRIVAL_NAMES[language][row.origin]}`).join(', ')}
        </p>
      )}
      {missedByWebhooks.length > 0 && (
        <>
          <p>{t.missed}</p>
          <ul>
            {missedByWebhooks.map(({ businessKey, day }) => (
              <li key={businessKey}>
                <Link href={`${href('orders')}?key=${encodeURIComponent(businessKey)}`}>{businessKey}</Link>,{' '}
                <Day day={day} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** Messages that may be about an order of the period. */
export function Unattached({ unattached }: { unattached: readonly UnattachedView[] }) {
  const t = useTexts(T);
  const href = useHref();
  const { language } = usePreferences();
  return (
    <Section title={t.unattached}>
      <p class="hint">{t.unattachedSays}</p>
      <Table
        caption={t.unattached}
        rows={unattached}
        keyOf={({ delivery }) => delivery}
        hrefOf={({ delivery }) => href('deliveries', delivery)}
        columns={[
          { name: t.received, show: ({ receivedAt }) => <Instant at={receivedAt} /> },
          { name: t.topic, show: ({ topic }) => topic },
          { name: t.about, show: ({ businessKey }) => businessKey },
          { name: t.what, show: ({ code }) => CODES[language][code][0] },
          { name: t.reason, show: ({ cause }) => cause },
        ]}
      />
    </Section>
  );
}
