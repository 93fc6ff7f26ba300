import { useState } from 'preact/hooks';
import type { DeliveryDetailView } from '../../../src/admin/deliveries/deliveries.dto';
import { get } from '../api';
import { inLines } from '../json';
import { useAdminPath } from '../session';
import { texts, useTexts } from '../texts';
import { Act } from '../ui/act';
import { Code, Nothing } from '../ui/basics';

const T = texts(
  {
    hidden: 'What may be about a person is hidden.',
    revealed: 'Nothing is hidden. That you looked stands in the audit log.',
    reveal: 'Show everything',
    revealTitle: 'Show what may be about a person',
    done: 'The content is shown as it came.',
    body: 'What was sent',
    answer: (name: string, status: number) => `What the shop answered about ${name} (${status})`,
    whole: 'It is no JSON, so that nothing of it can be shown in part: show everything to see it.',
    bytes: 'It is no text. In base64:',
    purged: 'It is no longer kept.',
  },
  {
    hidden: 'O que pode ser sobre uma pessoa está oculto.',
    revealed: 'Nada está oculto. Que você olhou fica no registro de auditoria.',
    reveal: 'Mostrar tudo',
    revealTitle: 'Mostrar o que pode ser sobre uma pessoa',
    done: 'O conteúdo aparece como veio.',
    body: 'O que foi enviado',
    answer: (name: string, status: number) => `O que a loja respondeu sobre ${name} (${status})`,
    whole: 'Não é JSON, e por isso nada dele pode ser mostrado em parte: mostre tudo para vê-lo.',
    bytes: 'Não é texto. Em base64:',
    purged: 'Já não é guardado.',
  },
);

/** What a webhook was sent as, without what may be about a person until somebody says why they have to see it. */
export function Payload({ delivery }: { delivery: DeliveryDetailView }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [revealed, setRevealed] = useState<DeliveryDetailView>();
  const { id, body, fetched } = revealed ?? delivery;
  if (body.purgedAt !== null) return <Nothing>{t.purged}</Nothing>;
  const reveal = async (reason: string): Promise<void> =>
    setRevealed(await get<DeliveryDetailView>(path('deliveries', id), { body: 'raw', reason }));
  return (
    <>
      <p class="hint">{body.redacted ? t.hidden : t.revealed}</p>
      <Sent label={t.body} of={body} />
      {fetched.map((answer) => (
        <section key={answer.name}>
          <h3>{t.answer(answer.name, answer.status)}</h3>
          <Sent label={answer.name} of={answer} />
        </section>
      ))}
      {!revealed && (
        <div class="actions">
          <Act label={t.reveal} title={t.revealTitle} done={t.done} act={reveal} />
        </div>
      )}
    </>
  );
}

function Sent({
  label,
  of: { text, base64 },
}: {
  label: string;
  of: { text: string | null; base64: string | null };
}) {
  const t = useTexts(T);
  if (text !== null) return <Code label={label}>{inLines(text)}</Code>;
  if (base64 === null) return <p class="hint">{t.whole}</p>;
  return (
    <>
      <p class="hint">{t.bytes}</p>
      <Code label={label}>{base64}</Code>
    </>
  );
}
