import type { SourceView } from '../../../src/admin/sources/sources.dto';
import { useFormats } from '../format';
import type { Formats } from '../formats';
import { texts, useTexts } from '../texts';
import { Badge, type Tone } from '../ui/basics';

const T = texts(
  {
    good: 'fine',
    bad: 'needs a person',
    warn: 'take a look',
    quiet: 'for your information',
    plain: 'for your information',
    receiving: 'receiving',
    paused: 'paused',
    noSecret: 'no secret yet',
    failing: 'refused',
    switchedOff: 'switched off',
    silent: 'silent',
    incomplete: 'books differ',
    receives: 'It takes webhooks that are signed right.',
    isPaused: 'It is paused: the shop is told to send again later, and nothing is stored.',
    hasNoSecret: 'It has no secret, so it refuses every webhook. Add the secret of the shop.',
    neverReceived: 'No webhook has arrived yet.',
    received: (ago: string) => `The newest webhook came ${ago} ago.`,
    receivedWithin: (ago: string, within: string) =>
      `The newest webhook came ${ago} ago; one is expected within ${within}.`,
    isSilent: (ago: string, within: string) =>
      `Nothing came for ${ago}, longer than usual (${within}). Look whether the shop has orders that are missing here.`,
    isFailing:
      'Most webhooks are refused, because their signature does not fit. Compare the secret with the one at the shop.',
    refused: (at: string) =>
      `A webhook was refused on ${at}, because its signature did not fit. Ponte says of it:`,
    near: (failures: string, topics: string) =>
      `The provider is about to switch its webhook off${topics}. Failures in a row: ${failures}. The last one:`,
    probable: (failures: string, topics: string) =>
      `The provider has probably switched its webhook off${topics}. Switch it on there. Failures in a row: ${failures}. The last one:`,
    ofTopics: (topics: string) => ` (${topics})`,
    waiting: (count: string) => `Webhooks that wait to be worked on: ${count}.`,
    dead: (count: string) => `Webhooks that need a person: ${count}.`,
    orMore: (count: string) => `${count} or more`,
    unhandled: (count: string, events: string) =>
      `Webhooks among the newest 100 with something that no rule takes: ${count}. The newest brought ${events}.`,
    paidUnhandled:
      'Paid orders are not booked: no rule for them is on, or its conditions were false. Mend that, and work on these webhooks again.',
    hooksWrong: (at: string) =>
      `The webhooks registered at the provider were checked on ${at}. What is wrong:`,
    hooksFine: (at: string) => `The webhooks registered at the provider were as they have to be on ${at}.`,
    missed: (count: string) =>
      `Webhooks that had not arrived and were found by the last comparison with the provider: ${count}. They were stored.`,
    compared: (at: string) => `Compared with the provider's own list on ${at}: nothing was missing.`,
    comparisonFailed: 'The last comparison with the provider could not be made:',
    complete: (compared: string, from: string, to: string) =>
      `The books have all ${compared} orders and payouts from ${from} to ${to}.`,
    differs: (differences: string, compared: string, from: string, to: string) =>
      `The books differ from the shop in ${differences} of ${compared} orders and payouts from ${from} to ${to}.`,
    completenessFailed: 'The daily comparison with the books could not be made:',
  },
  {
    good: 'em ordem',
    bad: 'precisa de alguém',
    warn: 'dê uma olhada',
    quiet: 'para saber',
    plain: 'para saber',
    receiving: 'recebendo',
    paused: 'pausada',
    noSecret: 'ainda sem segredo',
    failing: 'recusados',
    switchedOff: 'desligado',
    silent: 'em silêncio',
    incomplete: 'livros diferem',
    receives: 'Aceita webhooks com a assinatura certa.',
    isPaused: 'Está pausada: a loja é avisada para enviar de novo mais tarde, e nada é guardado.',
    hasNoSecret: 'Não tem segredo, por isso recusa todos os webhooks. Adicione o segredo da loja.',
    neverReceived: 'Nenhum webhook chegou ainda.',
    received: (ago: string) => `O webhook mais novo chegou há ${ago}.`,
    receivedWithin: (ago: string, within: string) =>
      `O webhook mais novo chegou há ${ago}; espera-se um a cada ${within}.`,
    isSilent: (ago: string, within: string) =>
      `Nada chega há ${ago}, mais do que o habitual (${within}). Veja se a loja tem pedidos que faltam aqui.`,
    isFailing:
      'A maioria dos webhooks é recusada, porque a assinatura não confere. Compare o segredo com o da loja.',
    refused: (at: string) =>
      `Um webhook foi recusado em ${at}, porque a assinatura não conferia. O Ponte diz dele:`,
    near: (failures: string, topics: string) =>
      `O provedor está para desligar o webhook${topics}. Falhas seguidas: ${failures}. A última:`,
    probable: (failures: string, topics: string) =>
      `O provedor provavelmente desligou o webhook${topics}. Ligue-o de novo lá. Falhas seguidas: ${failures}. A última:`,
    ofTopics: (topics: string) => ` (${topics})`,
    waiting: (count: string) => `Webhooks que esperam para ser processados: ${count}.`,
    dead: (count: string) => `Webhooks que precisam de alguém: ${count}.`,
    orMore: (count: string) => `${count} ou mais`,
    unhandled: (count: string, events: string) =>
      `Webhooks entre os 100 mais novos com algo que nenhuma regra trata: ${count}. O mais novo trouxe ${events}.`,
    paidUnhandled:
      'Pedidos pagos não são lançados: nenhuma regra para eles está ligada, ou as condições dela eram falsas. Corrija isso e processe estes webhooks de novo.',
    hooksWrong: (at: string) =>
      `Os webhooks registrados no provedor foram conferidos em ${at}. O que está errado:`,
    hooksFine: (at: string) => `Os webhooks registrados no provedor estavam como devem em ${at}.`,
    missed: (count: string) =>
      `Webhooks que não tinham chegado e foram achados na última comparação com o provedor: ${count}. Foram guardados.`,
    compared: (at: string) => `Comparada com a lista do próprio provedor em ${at}: nada faltava.`,
    comparisonFailed: 'A última comparação com o provedor não pôde ser feita:',
    complete: (compared: string, from: string, to: string) =>
      `Os livros têm todos os ${compared} pedidos e repasses de ${from} a ${to}.`,
    differs: (differences: string, compared: string, from: string, to: string) =>
      `Os livros diferem da loja em ${differences} de ${compared} pedidos e repasses de ${from} a ${to}.`,
    completenessFailed: 'A comparação diária com os livros não pôde ser feita:',
  },
);

/** Counts of a source's status end there. */
const MOST_COUNTED = 1_000;
/** The event of an order whose money is there. */
const PAID = 'order.paid';

/** What is to be said of a source. */
interface Sentence {
  readonly tone: Tone;
  readonly text: string;
  /** What Ponte or the provider said of it, in English. */
  readonly said?: string | null;
}

type Words = ReturnType<typeof useTexts<(typeof T)['en']>>;

/** In one word how a source is doing: what matters most. */
export function SourceState({ source }: { source: SourceView }) {
  const t = useTexts(T);
  const [tone, word] = stateOf(source, t);
  return <Badge tone={tone}>{word}</Badge>;
}

function stateOf({ paused, secretCount, status }: SourceView, t: Words): [Tone, string] {
  if (paused) return ['quiet', t.paused];
  if (secretCount === 0) return ['warn', t.noSecret];
  if (status.failing) return ['bad', t.failing];
  if (status.switchOff?.state === 'probable') return ['bad', t.switchedOff];
  if (status.silent) return ['warn', t.silent];
  if ((status.completeness?.differences ?? 0) > 0) return ['warn', t.incomplete];
  return ['good', t.receiving];
}

/** How a source is doing, in sentences: what needs a person first. */
export function SourceSentences({ source }: { source: SourceView }) {
  const t = useTexts(T);
  const formats = useFormats();
  const rank: readonly Tone[] = ['bad', 'warn', 'good', 'plain', 'quiet'];
  const sentences = sentencesOf(source, t, formats).sort(
    (one, other) => rank.indexOf(one.tone) - rank.indexOf(other.tone),
  );
  return (
    <ul class="sentences">
      {sentences.map(({ tone, text, said }) => (
        <li key={text}>
          <Badge tone={tone}>{t[tone]}</Badge>
          <span>
            {text}
            {said && (
              <>
                {' '}
                <q lang="en">{said}</q>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function sentencesOf(source: SourceView, t: Words, formats: Formats): Sentence[] {
  const { status } = source;
  const counted = (count: number): string =>
    count >= MOST_COUNTED ? t.orMore(formats.count(count)) : formats.count(count);
  const { waiting, dead } = status;
  return [
    receivingOf(source, t),
    arrivalOf(source, t, formats),
    ...(status.failing ? [{ tone: 'bad', text: t.isFailing } as const] : []),
    ...refusalOf(source, t, formats),
    ...switchOffOf(source, t, formats),
    ...(dead > 0 ? [{ tone: 'bad', text: t.dead(counted(dead)) } as const] : []),
    ...(waiting > 0 ? [{ tone: 'quiet', text: t.waiting(counted(waiting)) } as const] : []),
    ...unhandledOf(source, t, counted),
    ...comparisonsOf(source, t, formats),
  ];
}

function unhandledOf(
  { status: { unhandled, lastUnhandledEvents } }: SourceView,
  t: Words,
  counted: (count: number) => string,
): Sentence[] {
  if (unhandled === 0) return [];
  const text = t.unhandled(counted(unhandled), lastUnhandledEvents.join(', '));
  // Where rules wait for the payment nothing takes an order that was only created.
  return lastUnhandledEvents.includes(PAID)
    ? [{ tone: 'bad', text: `${text} ${t.paidUnhandled}` }]
    : [{ tone: 'quiet', text }];
}

function receivingOf({ paused, secretCount }: SourceView, t: Words): Sentence {
  if (paused) return { tone: 'warn', text: t.isPaused };
  return secretCount === 0 ? { tone: 'bad', text: t.hasNoSecret } : { tone: 'good', text: t.receives };
}

function arrivalOf({ status }: SourceView, t: Words, { duration }: Formats): Sentence {
  const { quietFor, expectedWithin, silent } = status;
  if (quietFor === null) return { tone: 'quiet', text: t.neverReceived };
  const ago = duration(quietFor);
  if (expectedWithin === null) return { tone: 'quiet', text: t.received(ago) };
  const within = duration(expectedWithin);
  return silent
    ? { tone: 'warn', text: t.isSilent(ago, within) }
    : { tone: 'good', text: t.receivedWithin(ago, within) };
}

function refusalOf({ status }: SourceView, t: Words, { instant }: Formats): Sentence[] {
  const { lastRefusedAt, lastReceivedAt, lastRefusal } = status;
  if (lastRefusedAt === null) return [];
  // What was accepted after it says that the secret fits.
  const isAnswered = lastReceivedAt !== null && new Date(lastReceivedAt) > new Date(lastRefusedAt);
  const text = t.refused(instant(String(lastRefusedAt)));
  return [{ tone: isAnswered ? 'quiet' : 'warn', text, said: lastRefusal }];
}

function switchOffOf({ status: { switchOff } }: SourceView, t: Words, { count }: Formats): Sentence[] {
  if (!switchOff) return [];
  const { state, failures, topics, lastFailure } = switchOff;
  const of = topics.length === 0 ? '' : t.ofTopics(topics.join(', '));
  const text = (state === 'near' ? t.near : t.probable)(count(failures), of);
  return [{ tone: 'bad', text, said: lastFailure }];
}

function comparisonsOf({ status }: SourceView, t: Words, formats: Formats): Sentence[] {
  const { hooks, comparisonFailure, comparedAt, missed, completeness } = status;
  const { instant, count, day } = formats;
  const sentences: Sentence[] = [];
  if (hooks) {
    const at = instant(String(hooks.checkedAt));
    sentences.push(
      hooks.problem === null
        ? { tone: 'good', text: t.hooksFine(at) }
        : { tone: 'bad', text: t.hooksWrong(at), said: hooks.problem },
    );
  }
  if (comparisonFailure !== null)
    sentences.push({ tone: 'warn', text: t.comparisonFailed, said: comparisonFailure });
  else if (comparedAt !== null)
    sentences.push(
      missed > 0
        ? { tone: 'warn', text: t.missed(count(missed)) }
        : { tone: 'good', text: t.compared(instant(String(comparedAt))) },
    );
  if (!completeness) return sentences;
  const { from, to, compared, differences, failure } = completeness;
  if (failure !== null) sentences.push({ tone: 'warn', text: t.completenessFailed, said: failure });
  if (from === null || to === null) return sentences;
  const span = [day(from), day(to)] as const;
  sentences.push(
    differences > 0
      ? { tone: 'bad', text: t.differs(count(differences), count(compared), ...span) }
      : { tone: 'good', text: t.complete(count(compared), ...span) },
  );
  return sentences;
}
