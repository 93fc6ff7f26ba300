import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import type { DeferredEffectView } from '../../../../src/admin/deliveries/deliveries.dto';
import { write } from '../../api';
import { type LoadedPages, usePages } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { useOperation } from '../../words';
import { Act } from '../../ui/act';
import { Fact, Day, Instant, Money, More, Nothing } from '../../ui/basics';
import { Choice, Kind, Need } from './kind';

const T = texts(
  {
    title: 'Parts of a later day, and messages, that were refused',
    none: 'none',
    explains:
      'Some things are done after their webhook: a part of a payment on the day on which the acquirer pays it, or a message to another system. These were tried and refused. Correct the reason, then try again; or give it up and do by hand what it should have done.',
    refused: 'Refused',
    waiting: 'Waiting for their day, or to be tried again',
    cancelled: 'Given up',
    nothing: 'There is nothing of this.',
    day: 'Its day',
    atOnce: 'as soon as its webhook is done',
    nextAt: 'Tried next',
    attempts: 'Failed tries',
    effect: 'Effect',
    asked: 'Asked for by',
    retry: 'Try it again',
    retryTitle: 'Try it again',
    retrySays: 'This is tried again now, or on its day if that is later:',
    retried: 'It is tried again.',
    cancel: 'Give it up',
    cancelTitle: 'Never do it',
    cancelSays: 'This is never done, whoever asks for it again:',
    isCancelled: 'It was given up.',
  },
  {
    title: 'Partes de um dia posterior, e mensagens, que foram recusadas',
    none: 'nenhuma',
    explains:
      'Algumas coisas são feitas depois do seu webhook: uma parcela no dia em que a adquirente a repassa, ou uma mensagem a outro sistema. Estas foram tentadas e recusadas. Corrija o motivo e tente de novo; ou desista e faça manualmente o que deveria ter sido feito.',
    refused: 'Recusadas',
    waiting: 'À espera do seu dia, ou de nova tentativa',
    cancelled: 'Das quais se desistiu',
    nothing: 'Não há nada disso.',
    day: 'O seu dia',
    atOnce: 'assim que o webhook for concluído',
    nextAt: 'Próxima tentativa',
    attempts: 'Tentativas que falharam',
    effect: 'Efeito',
    asked: 'Pedido por',
    retry: 'Tentar de novo',
    retryTitle: 'Tentar de novo',
    retrySays: 'Isto é tentado de novo agora, ou no seu dia, se for posterior:',
    retried: 'É tentado de novo.',
    cancel: 'Desistir',
    cancelTitle: 'Não fazer nunca',
    cancelSays: 'Isto nunca é feito, por mais que seja pedido de novo:',
    isCancelled: 'Desistiu-se disto.',
  },
);

const STATES = ['refused', 'waiting', 'cancelled'] as const;
type State = (typeof STATES)[number];

/** Effects that are applied after their deliveries, and were refused then. */
export function Deferred({
  list,
  count,
  onDone,
}: {
  /** Those that were refused. */
  list: LoadedPages<DeferredEffectView>;
  count: string;
  onDone: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [search] = useSearchParams();
  const asked = STATES.find((name) => name === search.get('deferred'));
  const [state, setState] = useState<State>(asked ?? 'refused');
  const others = usePages<DeferredEffectView>(state === 'refused' ? undefined : path('deferred-effects'), {
    state,
  });
  const shown = state === 'refused' ? list : others;
  const isDone = (): void => {
    others.reload();
    onDone();
  };
  return (
    <Kind title={t.title} none={t.none} count={count} list={list} isOpen={asked !== undefined}>
      <p class="hint">{t.explains}</p>
      <Choice value={state} onChange={setState} choices={STATES.map((name) => [name, t[name]] as const)} />
      {shown.items?.length === 0 && <Nothing>{t.nothing}</Nothing>}
      <ul class="needs">
        {shown.items?.map((effect) => (
          <Effect key={effect.id} effect={effect} onDone={isDone} />
        ))}
      </ul>
      <More of={shown} />
    </Kind>
  );
}

function Effect({ effect, onDone }: { effect: DeferredEffectView; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const nameOf = useOperation();
  const { id, operation, value, currency, notBefore, nextAt } = effect;
  const decide =
    (how: string) =>
    (reason: string): Promise<unknown> =>
      write('POST', path('deferred-effects', id, how), { reason });
  const what = (
    <p class="preview">
      <strong>{nameOf(operation)}</strong> {value !== null && <Money amount={value} currency={currency} />}{' '}
      {notBefore !== null && <Day day={notBefore} />} <code>{effect.key}</code>
    </p>
  );
  return (
    <Need
      title={nameOf(operation)}
      at={effect.createdAt}
      businessKey={effect.delivery === null ? null : effect.businessKey}
      delivery={effect.delivery}
      value={value}
      currency={currency}
      facts={
        <>
          <Fact name={t.day}>{notBefore === null ? t.atOnce : <Day day={notBefore} />}</Fact>
          {nextAt !== null && (
            <Fact name={t.nextAt}>
              <Instant at={nextAt} />
            </Fact>
          )}
          {effect.attempts > 0 && <Fact name={t.attempts}>{effect.attempts}</Fact>}
          <Fact name={t.asked}>{effect.rule}</Fact>
          <Fact name={t.effect}>
            <code>{effect.key}</code>
          </Fact>
        </>
      }
      acts={
        (effect.state === 'refused' || effect.state === 'waiting') && (
          <>
            <Act label={t.retry} title={t.retryTitle} done={t.retried} act={decide('retry')} onDone={onDone}>
              <p>{t.retrySays}</p>
              {what}
            </Act>
            <Act
              label={t.cancel}
              title={t.cancelTitle}
              kind="danger"
              done={t.isCancelled}
              act={decide('cancel')}
              onDone={onDone}
            >
              <p>{t.cancelSays}</p>
              {what}
            </Act>
          </>
        )
      }
    >
      {effect.reason !== null && <p lang="en">{effect.reason}</p>}
    </Need>
  );
}
