import { Fragment } from 'preact';
import { Link } from 'wouter-preact';
import { useHref } from '../session';
import { texts, useTexts } from '../texts';

const T = texts({ webhook: 'webhook' }, { webhook: 'webhook' });

/** Leads from a record of the books to the order that it was booked for, and to the webhook that brought it. */
export function OriginLinks({
  origin: { businessKey, delivery },
}: {
  origin: { businessKey: string | null; delivery: string | null };
}) {
  const t = useTexts(T);
  const href = useHref();
  if (businessKey === null && delivery === null) return <span class="absent">–</span>;
  return (
    <>
      {businessKey !== null && (
        <Link class="origin" href={`${href('orders')}?key=${encodeURIComponent(businessKey)}`}>
          {businessKey.split('/').map((part, index) => (
            <Fragment key={index}>
              {index > 0 && (
                <>
                  /<wbr />
                </>
              )}
              {part}
            </Fragment>
          ))}
        </Link>
      )}{' '}
      {delivery !== null && <Link href={href('deliveries', delivery)}>{t.webhook}</Link>}
    </>
  );
}
