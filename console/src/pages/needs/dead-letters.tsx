import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { DeliveryView, RetriedLetters } from '../../../../src/admin/deliveries/deliveries.dto';
import type { SourceList } from '../../../../src/admin/sources/sources.dto';
import { write } from '../../api';
import { spanOf } from '../../days';
import { useFormats } from '../../format';
import { asError, type LoadedPages, useLoaded } from '../../loaded';
import { useAdminPath, useHref, useOrganization } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Button, Failure, Field, More } from '../../ui/basics';
import { DeliveryActs } from '../delivery';
import { Kind, Need } from './kind';

const T = texts(
  {
    title: 'Webhooks that could not be worked on',
    none: 'none',
    explains:
      'Nothing of what is missing is booked. Other webhooks do not wait for these. Correct the reason first: the data in the shop, a table or a rule. Then have them worked on again; what was booked before stays as it is.',
    noReason: 'No reason is known.',
    waitForRecord: 'Webhooks that wait for a record alone go on by themselves.',
    seeThem: 'See them',
    retryAll: 'Work on many again',
    retryTitle: 'Work again on all that fit',
    retried: 'They wait to be worked on again.',
    source: 'Source',
    any: 'All',
    topic: 'Topic',
    topicHint: 'As the provider calls it; empty: all',
    businessKey: 'About',
    businessKeyHint: 'Such as shop/order/1001; empty: all',
    from: 'Received from',
    to: 'Received until',
    alsoWaiting: 'Also those that only wait for a record',
    count: 'Count them',
    counted: (count: string) =>
      `${count} fit. They are worked on again; what was booked before stays as it is.`,
    countedOne: 'One fits. It is worked on again; what was booked before stays as it is.',
    countedNone: 'None fits.',
    most: 'One go takes 10,000: do it again for the rest.',
  },
  {
    title: 'Webhooks que não puderam ser processados',
    none: 'nenhum',
    explains:
      'O que falta não foi lançado. Os outros webhooks não esperam por estes. Corrija antes o motivo: o dado na loja, uma tabela ou uma regra. Depois mande processar de novo; o que já foi lançado fica como está.',
    noReason: 'O motivo não é conhecido.',
    waitForRecord: 'Webhooks que só esperam um registro seguem sozinhos.',
    seeThem: 'Vê-los',
    retryAll: 'Processar vários de novo',
    retryTitle: 'Processar de novo todos os que correspondem',
    retried: 'Eles esperam para ser processados de novo.',
    source: 'Origem',
    any: 'Todas',
    topic: 'Assunto',
    topicHint: 'Como o provedor o chama; vazio: todos',
    businessKey: 'Sobre',
    businessKeyHint: 'Por exemplo loja/order/1001; vazio: todos',
    from: 'Recebido de',
    to: 'Recebido até',
    alsoWaiting: 'Também os que só esperam um registro',
    count: 'Contar',
    counted: (count: string) =>
      `${count} correspondem. São processados de novo; o que já foi lançado fica como está.`,
    countedOne: 'Um corresponde. É processado de novo; o que já foi lançado fica como está.',
    countedNone: 'Nenhum corresponde.',
    most: 'De cada vez são processados 10.000: repita para os demais.',
  },
);

/** Deliveries that only a person can decide about. */
export function DeadLetters({
  list,
  count,
  onDone,
}: {
  list: LoadedPages<DeliveryView>;
  count: string;
  onDone: () => void;
}) {
  const t = useTexts(T);
  const href = useHref();
  const { items = [] } = list;
  return (
    <Kind title={t.title} none={t.none} count={count} list={list}>
      <p class="hint">{t.explains}</p>
      <p class="hint">
        {t.waitForRecord} <Link href={`${href('deliveries')}?state=dead&needsPerson=false`}>{t.seeThem}</Link>
      </p>
      {items.length > 0 && <RetryAll onDone={onDone} />}
      <ul class="needs">
        {items.map((letter) => (
          <Need
            key={letter.id}
            title={`${letter.topic} · ${letter.source}`}
            at={letter.receivedAt}
            businessKey={letter.businessKey}
            delivery={letter.id}
            acts={<DeliveryActs delivery={letter} onDone={onDone} />}
          >
            {letter.reason === null ? <p>{t.noReason}</p> : <p lang="en">{letter.reason}</p>}
          </Need>
        ))}
      </ul>
      <More of={list} />
    </Kind>
  );
}

const NOTHING_ASKED = { source: '', topic: '', businessKey: '', from: '', to: '' };
/** Most dead letters that one call works on again. */
const MOST = 10_000;
/** A count changes nothing and is in no log; the API wants a reason nevertheless. */
const REASON_OF_COUNT = 'count';

/** Works on all dead letters again that fit, once it is known how many those are. */
function RetryAll({ onDone }: { onDone: () => void }) {
  const t = useTexts(T);
  const formats = useFormats();
  const path = useAdminPath();
  const { timeZone } = useOrganization();
  const sources = useLoaded<SourceList>(path('sources'));
  const [asked, setAsked] = useState(NOTHING_ASKED);
  const [alsoWaiting, setAlsoWaiting] = useState(false);
  const [counted, setCounted] = useState<{ of: string; matched: number }>();
  const [error, setError] = useState<Error>();
  const { from, to, ...exact } = asked;
  const given = { ...exact, ...spanOf(from, to, timeZone) };
  const filter = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== '')),
    ...(!alsoWaiting && { needsPerson: true }),
  };
  const address = JSON.stringify(filter);
  const matched = counted?.of === address ? counted.matched : undefined;
  const send = (dryRun: boolean, reason: string): Promise<RetriedLetters> =>
    write<RetriedLetters>('POST', path('dead-letters', 'retry'), { filter, dryRun, reason });
  const count = (): void => {
    setError(undefined);
    send(true, REASON_OF_COUNT).then(
      (found) => setCounted({ of: address, matched: found.matched }),
      (failure: unknown) => setError(asError(failure)),
    );
  };
  const text = (name: 'topic' | 'businessKey', label: string, hint: string) => (
    <Field label={label} hint={hint}>
      {(control) => (
        <input
          {...control}
          value={asked[name]}
          maxLength={200}
          onInput={({ currentTarget }) => setAsked({ ...asked, [name]: currentTarget.value.trim() })}
        />
      )}
    </Field>
  );
  const day = (name: 'from' | 'to', label: string) => (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={asked[name]}
          onChange={({ currentTarget }) => setAsked({ ...asked, [name]: currentTarget.value })}
        />
      )}
    </Field>
  );
  return (
    <p class="actions">
      <Act
        label={t.retryAll}
        title={t.retryTitle}
        done={t.retried}
        isReady={matched !== undefined && matched > 0}
        act={(reason) => send(false, reason)}
        onDone={onDone}
      >
        <Field label={t.source}>
          {(control) => (
            <select
              {...control}
              value={asked.source}
              onChange={({ currentTarget }) => setAsked({ ...asked, source: currentTarget.value })}
            >
              <option value="">{t.any}</option>
              {sources.value?.items.map(({ slug }) => (
                <option key={slug} value={slug}>
                  {slug}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div class="filters">
          {text('topic', t.topic, t.topicHint)}
          {text('businessKey', t.businessKey, t.businessKeyHint)}
        </div>
        <div class="filters">
          {day('from', t.from)}
          {day('to', t.to)}
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={alsoWaiting}
            onChange={({ currentTarget }) => setAlsoWaiting(currentTarget.checked)}
          />
          {t.alsoWaiting}
        </label>
        <Button onClick={count}>{t.count}</Button>
        <div role="status">
          {matched !== undefined && (
            <p>
              {matched === 0
                ? t.countedNone
                : matched === 1
                  ? t.countedOne
                  : t.counted(formats.count(matched))}
            </p>
          )}
          {matched !== undefined && matched > MOST && <p>{t.most}</p>}
        </div>
        {error && <Failure error={error} />}
      </Act>
    </p>
  );
}
