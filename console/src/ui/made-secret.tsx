import { useEffect, useRef } from 'preact/hooks';
import { texts, useTexts } from '../texts';
import { Button } from './basics';
import { Copyable } from './copyable';

const T = texts(
  { once: 'It is shown this once: keep it now.', kept: 'I have kept it' },
  { once: 'É mostrado só desta vez: guarde agora.', kept: 'Já guardei' },
);

/** Something secret that was just made, until whoever made it has kept it. */
export function MadeSecret({ title, text, onKept }: { title: string; text: string; onKept: () => void }) {
  const t = useTexts(T);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [text]);
  return (
    <section class="section made">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>
        <strong>{t.once}</strong>
      </p>
      <Copyable text={text} name={title} />
      <Button onClick={onKept}>{t.kept}</Button>
    </section>
  );
}
