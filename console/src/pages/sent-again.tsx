import { texts, useTexts } from '../texts';
import { Instant } from '../ui/basics';

const T = texts(
  {
    sentAgain: (times: number) =>
      times === 1 ? 'It was sent again once, on' : `It was sent again ${times} times, last on`,
  },
  {
    sentAgain: (times: number) =>
      times === 1 ? 'Foi enviado de novo uma vez, em' : `Foi enviado de novo ${times} vezes, a última em`,
  },
);

/** How often a webhook was sent again, and when last; nothing where it was not. */
export function SentAgain({ times, lastAt }: { times: number; lastAt: string | Date | null }) {
  const t = useTexts(T);
  if (lastAt === null) return null;
  return (
    <p class="hint">
      {t.sentAgain(times)} <Instant at={lastAt} />
    </p>
  );
}
