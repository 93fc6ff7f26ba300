import { useState } from 'preact/hooks';
import type { CallSummary, CallView } from '../../../../src/admin/finance/effects-admin.dto';
import { write } from '../../api';
import { type LoadedPages, useLoaded, usePages } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { useOperation } from '../../words';
import { Act } from '../../ui/act';
import { Fact, Field, Instant, More, Nothing, WhenLoaded } from '../../ui/basics';
import { Choice, Kind, Need } from './kind';
import { Content } from './content';

const T = texts(
  {
    title: 'Calls to the finance service whose outcome is not known',
    none: 'none',
    explains:
      'Ponte sent these, and no answer says whether they took effect. Look in the finance service for what each would have made, then decide. What is there must not be sent again: it would be there twice.',
    isThere: 'It is there',
    isThereSays:
      'Name it: Ponte takes over the record with the identifier that the finance service shows, and sends nothing.',
    isNotThere: 'It is not there',
    isNotThereSays:
      'Have it sent again. Only if you looked, and some time after the call: a list of the finance service may lag.',
    isSettled: 'It cannot be found out, or was settled otherwise',
    isSettledSays:
      'Give it up. It is never sent again, whether it took effect or not; what it would have booked is yours to enter.',
    unknown: 'To be decided',
    readBack: 'Ponte is still looking: nothing to do',
    refused: 'Refused; the record may be there nevertheless',
    refusedSays:
      'The finance service refused to make these. Where the record is there already, name it; else mend what the reason says and have the webhook worked on again.',
    nothing: 'There is nothing of this.',
    part: 'Part',
    attempts: 'Sent',
    times: (count: number) => (count === 1 ? 'once' : `${count} times`),
    effect: 'Effect',
    nextAt: 'Looked at again',
    adopt: 'It is there: name it',
    adoptTitle: 'Take over the record that is there',
    adoptSays: 'Nothing is sent. What waits for this goes on with the record that you name.',
    adoptNone: 'Nothing is sent. It counts as done from now on; this operation makes no record to be named.',
    adopted: 'It counts as done; what waited for it goes on.',
    recordId: 'Identifier of the record in the finance service',
    recordHint: 'Of the kind 01a2008b-0c5c-774f-97e8-11f0335b0c53',
    repeat: 'It is not there: send again',
    repeatTitle: 'Send it again',
    repeatSays:
      'This is sent to the finance service once more. If it took effect before, it will be there twice.',
    repeatRequest: 'It was asked for through the finance interface: whoever asked may send it again.',
    iLooked: 'I looked in the finance service, and it is not there',
    repeated: 'It is sent again.',
    abandon: 'Give it up',
    abandonTitle: 'Never send it again',
    abandoned: 'It was given up.',
    sent: 'What was sent',
    removed: 'What was sent is no longer kept.',
    tries: 'Every sending',
    noAnswer: 'Ponte ended before it was known',
    succeeded: 'took effect',
    wasRefused: 'refused',
    notSent: 'not sent',
    noOutcome: 'it is not known whether it took effect',
  },
  {
    title: 'Chamadas ao serviço financeiro cujo resultado não se conhece',
    none: 'nenhuma',
    explains:
      'O Ponte as enviou e nenhuma resposta diz se tiveram efeito. Procure no serviço financeiro o que cada uma teria criado e então decida. O que está lá não pode ser enviado de novo: ficaria em duplicidade.',
    isThere: 'Está lá',
    isThereSays:
      'Indique o registro: o Ponte assume o que tem o identificador mostrado pelo serviço financeiro e não envia nada.',
    isNotThere: 'Não está lá',
    isNotThereSays:
      'Mande enviar de novo. Só se você procurou, e algum tempo depois da chamada: uma lista do serviço financeiro pode atrasar.',
    isSettled: 'Não há como saber, ou foi resolvido de outra forma',
    isSettledSays:
      'Desista dela. Nunca mais é enviada, tenha tido efeito ou não; o que ela lançaria fica para você lançar.',
    unknown: 'A decidir',
    readBack: 'O Ponte ainda está verificando: nada a fazer',
    refused: 'Recusadas; o registro talvez já exista',
    refusedSays:
      'O serviço financeiro recusou criá-las. Se o registro já existe, indique-o; senão corrija o que o motivo diz e mande processar o webhook de novo.',
    nothing: 'Não há nada disso.',
    part: 'Parte',
    attempts: 'Enviada',
    times: (count: number) => (count === 1 ? 'uma vez' : `${count} vezes`),
    effect: 'Efeito',
    nextAt: 'Próxima verificação',
    adopt: 'Está lá: indicar',
    adoptTitle: 'Assumir o registro que está lá',
    adoptSays: 'Nada é enviado. O que espera por isto segue com o registro que você indicar.',
    adoptNone:
      'Nada é enviado. A partir de agora conta como feita; esta operação não cria registro a indicar.',
    adopted: 'Conta como feita; o que esperava por ela segue.',
    recordId: 'Identificador do registro no serviço financeiro',
    recordHint: 'No formato 01a2008b-0c5c-774f-97e8-11f0335b0c53',
    repeat: 'Não está lá: enviar de novo',
    repeatTitle: 'Enviar de novo',
    repeatSays:
      'Isto é enviado mais uma vez ao serviço financeiro. Se já teve efeito, ficará lá em duplicidade.',
    repeatRequest: 'Foi pedida pela interface financeira: quem a pediu pode enviá-la de novo.',
    iLooked: 'Procurei no serviço financeiro e não está lá',
    repeated: 'É enviada de novo.',
    abandon: 'Desistir',
    abandonTitle: 'Nunca mais enviar',
    abandoned: 'Desistiu-se dela.',
    sent: 'O que foi enviado',
    removed: 'O que foi enviado já não é guardado.',
    tries: 'Cada envio',
    noAnswer: 'O Ponte parou antes de saber',
    succeeded: 'teve efeito',
    wasRefused: 'recusada',
    notSent: 'não enviada',
    noOutcome: 'não se sabe se teve efeito',
  },
);

/** Operations of the finance interface whose answer is the record that they made. */
const MAKES: ReadonlySet<string> = new Set([
  ...['customers.create', 'schedules.createCredit', 'payments.register', 'receipts.register'],
  'accounts.create',
]);
/** Refused because what they make is there already, perhaps. */
const MAY_BE_THERE: ReadonlySet<string> = new Set([
  ...['customers.create', 'schedules.createCredit', 'accounts.create'],
]);
const REQUEST = 'v1/';

type Shown = 'unknown' | 'readBack' | 'refused';

/** Calls to a remote finance service that a person decides about, so that nothing is there twice. */
export function Effects({
  list,
  count,
  onDone,
}: {
  list: LoadedPages<CallSummary>;
  count: string;
  onDone: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [shown, setShown] = useState<Shown>('unknown');
  const refused = usePages<CallSummary>(shown === 'refused' ? path('effects') : undefined, {
    state: 'refused',
  });
  const chosen = shown === 'refused' ? refused : list;
  const { items = [], isLoading } = chosen;
  const calls = items.filter((call) => {
    if (shown === 'refused') return MAY_BE_THERE.has(call.operation) && !call.effectKey.startsWith(REQUEST);
    return call.abandonedAt === null && (call.parkedAt !== null) === (shown === 'unknown');
  });
  const isDone = (): void => {
    refused.reload();
    onDone();
  };
  return (
    <Kind title={t.title} none={t.none} count={count} list={list}>
      <Choice
        value={shown}
        onChange={setShown}
        choices={[
          ['unknown', t.unknown],
          ['readBack', t.readBack],
          ['refused', t.refused],
        ]}
      />
      {shown === 'unknown' && (
        <div class="guide">
          <p>{t.explains}</p>
          <dl>
            <dt>{t.isThere}</dt>
            <dd>{t.isThereSays}</dd>
            <dt>{t.isNotThere}</dt>
            <dd>{t.isNotThereSays}</dd>
            <dt>{t.isSettled}</dt>
            <dd>{t.isSettledSays}</dd>
          </dl>
        </div>
      )}
      {shown === 'refused' && <p class="hint">{t.refusedSays}</p>}
      {calls.length === 0 && !isLoading && <Nothing>{t.nothing}</Nothing>}
      <ul class="needs">
        {calls.map((call) => (
          <Call key={call.id} call={call} shown={shown} onDone={isDone} />
        ))}
      </ul>
      <More of={chosen} />
    </Kind>
  );
}

function Call({ call, shown, onDone }: { call: CallSummary; shown: Shown; onDone: () => void }) {
  const t = useTexts(T);
  const nameOf = useOperation();
  const path = useAdminPath();
  return (
    <Need
      title={nameOf(call.operation)}
      at={call.createdAt}
      businessKey={null}
      delivery={call.deliveryId}
      facts={
        <>
          <Fact name={t.effect}>
            <code>{call.effectKey}</code>
            {call.part > 1 && ` ${t.part} ${call.part}`}
          </Fact>
          <Fact name={t.attempts}>{t.times(call.attempts)}</Fact>
          {call.nextAt !== null && (
            <Fact name={t.nextAt}>
              <Instant at={call.nextAt} />
            </Fact>
          )}
        </>
      }
      acts={
        shown !== 'readBack' && (
          <>
            <Adopt call={call} onDone={onDone} />
            {shown === 'unknown' && (
              <>
                <Repeat call={call} onDone={onDone} />
                <Act
                  label={t.abandon}
                  title={t.abandonTitle}
                  kind="danger"
                  done={t.abandoned}
                  act={(reason) => write('POST', path('effects', call.id, 'abandon'), { reason })}
                  onDone={onDone}
                >
                  <p>{t.isSettledSays}</p>
                  <Facts id={call.id} />
                </Act>
              </>
            )}
          </>
        )
      }
    >
      {call.reason !== null && <p lang="en">{call.reason}</p>}
    </Need>
  );
}

function Adopt({ call: { id, operation }, onDone }: { call: CallSummary; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [recordId, setRecordId] = useState('');
  const makes = MAKES.has(operation);
  return (
    <Act
      label={t.adopt}
      title={t.adoptTitle}
      done={t.adopted}
      isReady={!makes || recordId.trim() !== ''}
      act={(reason) =>
        write('POST', path('effects', id, 'adopt'), { reason, ...(makes && { recordId: recordId.trim() }) })
      }
      onDone={onDone}
    >
      <p>{makes ? t.adoptSays : t.adoptNone}</p>
      <Facts id={id} />
      {makes && (
        <Field label={t.recordId} hint={t.recordHint}>
          {(given) => (
            <input
              {...given}
              value={recordId}
              required
              maxLength={36}
              spellcheck={false}
              autoComplete="off"
              onInput={({ currentTarget }) => setRecordId(currentTarget.value)}
            />
          )}
        </Field>
      )}
    </Act>
  );
}

function Repeat({ call: { id, effectKey }, onDone }: { call: CallSummary; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [hasLooked, setLooked] = useState(false);
  return (
    <Act
      label={t.repeat}
      title={t.repeatTitle}
      done={t.repeated}
      isReady={hasLooked}
      act={(reason) => write('POST', path('effects', id, 'repeat'), { reason })}
      onDone={onDone}
    >
      <p class="warning">{t.repeatSays}</p>
      {effectKey.startsWith(REQUEST) && <p>{t.repeatRequest}</p>}
      <Facts id={id} />
      <label class="check">
        <input
          type="checkbox"
          checked={hasLooked}
          onChange={({ currentTarget }) => setLooked(currentTarget.checked)}
        />
        {t.iLooked}
      </label>
    </Act>
  );
}

/** What a call said, and what was answered each time: what to look for in the finance service. */
function Facts({ id }: { id: string }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const loaded = useLoaded<CallView>(path('effects', id));
  const outcomes: Readonly<Record<string, string>> = {
    ...{ succeeded: t.succeeded, refused: t.wasRefused, 'not-sent': t.notSent, unknown: t.noOutcome },
  };
  return (
    <WhenLoaded of={loaded}>
      {({ sent, tries, contentRemovedAt }) => (
        <div class="preview">
          <h3>{t.sent}</h3>
          {contentRemovedAt === null ? <Content of={sent} /> : <p>{t.removed}</p>}
          {tries.length > 0 && <h3>{t.tries}</h3>}
          <ol>
            {tries.map(({ number, sentAt, outcome, status, reply }) => (
              <li key={number}>
                <Instant at={sentAt} />: {outcome === null ? t.noAnswer : (outcomes[outcome] ?? outcome)}
                {status !== null && ` (${status})`} {reply}
              </li>
            ))}
          </ol>
        </div>
      )}
    </WhenLoaded>
  );
}
