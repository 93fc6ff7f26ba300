import { useCallback, useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { DeliveryView } from '../../../src/admin/deliveries/deliveries.dto';
import type { SourceView } from '../../../src/admin/sources/sources.dto';
import { useFormats } from '../format';
import { useLive } from '../live';
import { useLoaded } from '../loaded';
import { useAdminPath, useHref } from '../session';
import { texts, useTexts } from '../texts';
import { Failure, Instant } from '../ui/basics';
import { Outcome } from '../ui/outcome';
import { DeliveryState } from './deliveries';

const T = texts(
  {
    waits: 'Waiting for the first webhook. It appears here as soon as it arrives.',
    refused: (at: string) =>
      `A webhook arrived on ${at} and was refused, because its signature did not fit. The secret here has to be the one at the shop. Ponte says of it:`,
    test: 'Webhooks that arrived',
    about: 'about',
  },
  {
    waits: 'Esperando o primeiro webhook. Ele aparece aqui assim que chegar.',
    refused: (at: string) =>
      `Um webhook chegou em ${at} e foi recusado, porque a assinatura não conferia. O segredo daqui tem de ser o mesmo da loja. O Ponte diz dele:`,
    test: 'Webhooks que chegaram',
    about: 'sobre',
  },
);

/** How many of the newest webhooks are shown. */
const SHOWN = 5;
/** Seconds between two looks: refusals and what comes of a webhook are no event of their own. */
const LOOK_SECONDS = 5;

/** What `…/live` says of a delivery. */
interface HeardDelivery {
  readonly id: string;
  readonly source: string;
  readonly topic: string;
  readonly state: string;
  readonly businessKey: string | null;
  readonly receivedAt: string;
}

type Arrival = HeardDelivery & Partial<Pick<DeliveryView, 'outcome' | 'reason'>>;

/**
 * The newest webhooks of a source as they arrive, what came of each, and why one was refused.
 * @param seconds between two looks for what is no event
 */
export function Arrivals({ slug, seconds = LOOK_SECONDS }: { slug: string; seconds?: number }) {
  const t = useTexts(T);
  const href = useHref();
  const { instant } = useFormats();
  const path = useAdminPath();
  const [heard, setHeard] = useState<readonly HeardDelivery[]>([]);
  const list = useLoaded<{ items: DeliveryView[] }>(path('deliveries'), { source: slug, limit: SHOWN });
  const source = useLoaded<SourceView>(path('sources', slug));
  const look = useCallback(() => {
    list.reload();
    source.reload();
  }, [list.reload, source.reload]);
  useLive(
    useCallback(
      (event: string, data: unknown) => {
        if (event === 'more') look();
        if (event !== 'delivery' || !isHeard(data) || data.source !== slug) return;
        setHeard((before) => [data, ...before.filter(({ id }) => id !== data.id)].slice(0, SHOWN));
        look();
      },
      [slug, look],
    ),
  );
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') look();
    }, seconds * 1_000);
    return () => clearInterval(timer);
  }, [look, seconds]);
  const arrivals = together(heard, list.value?.items ?? []);
  const { lastRefusedAt = null, lastRefusal = null } = source.value?.status ?? {};
  const newest = arrivals[0]?.receivedAt;
  const isRefused =
    lastRefusedAt !== null && (newest === undefined || new Date(lastRefusedAt) > new Date(newest));
  return (
    <div aria-live="polite">
      {list.error && <Failure error={list.error} again={look} />}
      {isRefused && (
        <p class="failure">
          {t.refused(instant(String(lastRefusedAt)))} <q lang="en">{lastRefusal}</q>
        </p>
      )}
      {arrivals.length === 0 ? (
        <p class="quiet">{t.waits}</p>
      ) : (
        <ul class="arrivals" aria-label={t.test}>
          {arrivals.map(({ id, topic, state, businessKey, receivedAt, outcome, reason }) => (
            <li key={id}>
              <Instant at={receivedAt} /> <Link href={href('deliveries', id)}>{topic}</Link>{' '}
              {businessKey !== null && (
                <>
                  {t.about} <code>{businessKey}</code>{' '}
                </>
              )}
              <DeliveryState state={state} /> <Outcome>{reason ?? outcome}</Outcome>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function together(heard: readonly HeardDelivery[], listed: readonly DeliveryView[]): readonly Arrival[] {
  const known = new Map<string, Arrival>(heard.map((one) => [one.id, one]));
  for (const { id, source, topic, state, businessKey, receivedAt, outcome, reason } of listed)
    known.set(id, {
      ...{ id, source, topic, state, businessKey, outcome, reason },
      receivedAt: String(receivedAt),
    });
  return [...known.values()]
    .sort((one, other) => other.receivedAt.localeCompare(one.receivedAt))
    .slice(0, SHOWN);
}

function isHeard(data: unknown): data is HeardDelivery {
  const { id, source, topic, state, receivedAt } = (data ?? {}) as Partial<Record<string, unknown>>;
  return [id, source, topic, state, receivedAt].every((text) => typeof text === 'string');
}
