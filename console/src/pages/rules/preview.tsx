import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { DeliveryView } from '../../../../src/admin/deliveries/deliveries.dto';
import type {
  PreviewedEffect,
  PreviewedEvent,
  PreviewedStep,
  RulePreviewView,
} from '../../../../src/admin/rules/preview.dto';
import type { RuleDetail } from '../../../../src/admin/rules/rules.dto';
import { write } from '../../api';
import { asError } from '../../loaded';
import { useAdminPath, useHref } from '../../session';
import { texts, useTexts } from '../../texts';
import { Fact, Badge, Button, Day, Failure, Money, Nothing, Section } from '../../ui/basics';
import { DeliveriesToTry } from './deliveries-to-try';
import { useEventWords, useOperationWords } from './words';

const T = texts(
  {
    choose: 'Choose a webhook that came',
    says: 'You see what the rule would do about it. Nothing is done, and the finance system is not asked.',
    result: 'What the rule would do',
    about: (topic: string, key: string) => `About ${topic} ${key}`,
    open: 'Look at the webhook',
    again: 'Try again',
    trying: 'Trying…',
    nameless: 'The document has to name the rule first.',
    inForce: (version: number) => `Version ${version}, in force`,
    draft: 'What you wrote',
    unchanged: 'Change the document, and what you wrote stands beside it.',
    noEvents: 'The webhook brings no event',
    nothingToDo: 'There is nothing that the rule could act on.',
    event: (event: string) => `The webhook says: ${event}`,
    acts: 'it acts',
    actsNot: 'it does not act',
    otherEvent: (event: string) => `The rule waits for another event: that ${event}.`,
    condition: 'It is the rule’s event, but one of its conditions is false.',
    refused: 'it is refused: nothing of it would be done',
    atStep: (step: string) => `At the step ${step}`,
    noEffects: 'The step does nothing here.',
    resolves: (code: string) => `Takes off the list: ${code}`,
    partly: 'Not all of it can be done',
    approval: 'waits for an approval',
    waits: 'waits until',
    on: 'on',
    isNew: 'only here',
    isOther: 'different',
    details: 'All that is given',
    fromStep: (step: string) => `what ${step} gives`,
    warnings: 'Valid, and seldom meant',
  },
  {
    choose: 'Escolha um webhook que chegou',
    says: 'Você vê o que a regra faria com ele. Nada é feito, e o sistema financeiro não é consultado.',
    result: 'O que a regra faria',
    about: (topic: string, key: string) => `Sobre ${topic} ${key}`,
    open: 'Ver o webhook',
    again: 'Testar de novo',
    trying: 'Testando…',
    nameless: 'Antes o documento tem de dar nome à regra.',
    inForce: (version: number) => `Versão ${version}, em vigor`,
    draft: 'O que você escreveu',
    unchanged: 'Altere o documento, e o que você escreveu aparece ao lado.',
    noEvents: 'O webhook não traz nenhum evento',
    nothingToDo: 'Não há nada sobre o que a regra possa agir.',
    event: (event: string) => `O webhook diz: ${event}`,
    acts: 'ela age',
    actsNot: 'ela não age',
    otherEvent: (event: string) => `A regra espera outro evento: que ${event}.`,
    condition: 'É o evento da regra, mas uma das condições é falsa.',
    refused: 'é recusada: nada dela seria feito',
    atStep: (step: string) => `No passo ${step}`,
    noEffects: 'O passo não faz nada aqui.',
    resolves: (code: string) => `Tira da lista: ${code}`,
    partly: 'Nem tudo pode ser feito',
    approval: 'espera uma aprovação',
    waits: 'espera até',
    on: 'em',
    isNew: 'só aqui',
    isOther: 'diferente',
    details: 'Tudo o que é informado',
    fromStep: (step: string) => `o que ${step} fornece`,
    warnings: 'Válido, mas raramente o que se quer',
  },
);

/** A try that is under way, or what came of it. */
type Tried = { reply: RulePreviewView } | { error: Error } | undefined;

/** Tries a rule on a webhook that came: as it is in force, and as it is written, side by side. */
export function RulePreview({
  name,
  stored,
  document,
  documentEvent,
}: {
  /** Undefined: the document does not say it yet. */
  name: string | undefined;
  stored: RuleDetail | undefined;
  /** Undefined: it is as it is in force. */
  document: string | undefined;
  /** The event that the document says it acts on, as far as it can be read. */
  documentEvent: string | null;
}) {
  const t = useTexts(T);
  const href = useHref();
  const [delivery, setDelivery] = useState<DeliveryView>();
  return (
    <>
      <Section title={t.choose}>
        <p>{t.says}</p>
        <DeliveriesToTry chosen={delivery?.id} onChoose={setDelivery} />
      </Section>
      {delivery && (
        <Section title={t.result}>
          <p>
            {t.about(delivery.topic, delivery.businessKey ?? '')} ·{' '}
            <Link href={href('deliveries', delivery.id)}>{t.open}</Link>
          </p>
          {name === undefined ? (
            <Nothing>{t.nameless}</Nothing>
          ) : (
            <Results key={delivery.id} {...{ name, stored, document, documentEvent, delivery }} />
          )}
        </Section>
      )}
    </>
  );
}

function Results({
  name,
  stored,
  document,
  documentEvent,
  delivery,
}: {
  name: string;
  stored: RuleDetail | undefined;
  document: string | undefined;
  documentEvent: string | null;
  delivery: DeliveryView;
}) {
  const t = useTexts(T);
  const now = useTry(stored && name, delivery.id, undefined, stored?.version);
  const written = useTry(document === undefined ? undefined : name, delivery.id, document, undefined);
  const replyOf = (tried: Tried) => (tried && 'reply' in tried ? tried.reply : undefined);
  const [inForce, draft] = [replyOf(now.tried), replyOf(written.tried)];
  return (
    <div class="side-by-side" aria-live="polite">
      {stored && (
        <div>
          <h3>{t.inForce(stored.version)}</h3>
          <Result tried={now.tried} again={now.again} other={draft} actsOn={stored.event} />
        </div>
      )}
      {document === undefined ? (
        <p class="quiet">{t.unchanged}</p>
      ) : (
        <div>
          <h3>{t.draft}</h3>
          <Result tried={written.tried} again={written.again} other={inForce} actsOn={documentEvent} />
          <Button onClick={written.again}>{t.again}</Button>
        </div>
      )}
    </div>
  );
}

/** @param name undefined: nothing is tried @param document undefined: the version in force */
function useTry(
  name: string | undefined,
  deliveryId: string,
  document: string | undefined,
  version: number | undefined,
): { tried: Tried; again: () => void } {
  const path = useAdminPath();
  const [tried, setTried] = useState<Tried>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (name === undefined) return undefined;
    const controller = new AbortController();
    const body = { deliveryId, ...(document !== undefined && { document }) };
    setTried(undefined);
    // While somebody writes, what they wrote is not tried at each letter.
    const timer = setTimeout(
      () =>
        void write<RulePreviewView>('POST', path('rules', name, 'preview'), body, controller.signal).then(
          (reply) => setTried({ reply }),
          (failure: unknown) => {
            if (!controller.signal.aborted) setTried({ error: asError(failure) });
          },
        ),
      document === undefined ? 0 : 600,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, deliveryId, document, version, round]);
  return { tried, again: () => setRound((before) => before + 1) };
}

function Result({
  tried,
  again,
  other,
  actsOn,
}: {
  tried: Tried;
  again: () => void;
  other: RulePreviewView | undefined;
  actsOn: string | null;
}) {
  const t = useTexts(T);
  if (!tried) return <p class="loading">{t.trying}</p>;
  if ('error' in tried) return <Failure error={tried.error} again={again} />;
  const { events, reason, warnings } = tried.reply;
  return (
    <>
      {events.length === 0 && (
        <Nothing>
          {t.noEvents}: {reason ?? t.nothingToDo}
        </Nothing>
      )}
      {events.map((event) => (
        <Event
          key={event.index}
          event={event}
          other={other?.events.find(({ index }) => index === event.index)}
          hasOther={other !== undefined}
          actsOn={actsOn}
        />
      ))}
      {warnings.length > 0 && (
        <>
          <h4>{t.warnings}</h4>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Event({
  event: { type, matched, refused, plan },
  other,
  hasOther,
  actsOn,
}: {
  event: PreviewedEvent;
  other: PreviewedEvent | undefined;
  hasOther: boolean;
  actsOn: string | null;
}) {
  const t = useTexts(T);
  const words = useEventWords();
  const others = other?.plan?.steps.flatMap(({ effects }) => effects) ?? [];
  return (
    <article class="previewed">
      <p>
        {t.event(words(type))} <code>{type}</code>
      </p>
      {!matched && (
        <p>
          <Badge tone="quiet">{t.actsNot}</Badge>{' '}
          {actsOn === null || actsOn === type ? t.condition : t.otherEvent(words(actsOn))}
        </p>
      )}
      {refused && (
        <p>
          <Badge tone="bad">{t.refused}</Badge> {refused.step !== null && `${t.atStep(refused.step)}: `}
          {refused.reason}
        </p>
      )}
      {plan && (
        <>
          <p>
            <Badge tone="good">{t.acts}</Badge>
          </p>
          <ol>
            {plan.steps.map((step) => (
              <Step
                key={step.id}
                step={step}
                currency={plan.currency}
                others={hasOther ? others : undefined}
              />
            ))}
          </ol>
        </>
      )}
    </article>
  );
}

function Step({
  step: { id, action, effects, resolves, unplanned, approval },
  currency,
  others,
}: {
  step: PreviewedStep;
  currency: string;
  /** What the other document would do; undefined: there is none. */
  others: readonly PreviewedEffect[] | undefined;
}) {
  const t = useTexts(T);
  return (
    <li>
      <strong>{id}</strong> <span class="quiet">{action}</span>{' '}
      {approval && <Badge tone="warn">{t.approval}</Badge>}
      {effects.length === 0 && !unplanned && !resolves && <p class="quiet">{t.noEffects}</p>}
      {resolves?.map((code) => (
        <p key={code}>{t.resolves(code)}</p>
      ))}
      {effects.length > 0 && (
        <ul>
          {effects.map((effect) => (
            <Effect key={effect.key} effect={effect} currency={currency} others={others} />
          ))}
        </ul>
      )}
      {unplanned && unplanned.length > 0 && (
        <div class="notice">
          <p>{t.partly}</p>
          <ul>
            {unplanned.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}

function Effect({
  effect,
  currency,
  others,
}: {
  effect: PreviewedEffect;
  currency: string;
  others: readonly PreviewedEffect[] | undefined;
}) {
  const t = useTexts(T);
  const words = useOperationWords();
  const { key, operation, amount, notBefore, input } = effect;
  const day = dayOf(input);
  const same = others?.find((other) => other.key === key && other.operation === operation);
  return (
    <li>
      {words(operation)}
      {amount !== undefined && (
        <>
          {' '}
          <Money amount={amount} currency={currency} />
        </>
      )}
      {day !== undefined && (
        <>
          {' '}
          {t.on} <Day day={day} />
        </>
      )}
      {notBefore !== undefined && (
        <>
          {', '}
          {t.waits} <Day day={notBefore} />
        </>
      )}{' '}
      {others && !same && <Badge tone="warn">{t.isNew}</Badge>}
      {same && JSON.stringify(same) !== JSON.stringify(effect) && <Badge tone="warn">{t.isOther}</Badge>}
      <details>
        <summary>{t.details}</summary>
        <Inputs of={{ key, ...input }} />
      </details>
    </li>
  );
}

function Inputs({ of }: { of: object }) {
  return (
    <dl class="inputs">
      {Object.entries(of as Record<string, unknown>).map(([name, value]) => (
        <Fact key={name} name={name}>
          <Value of={value} />
        </Fact>
      ))}
    </dl>
  );
}

function Value({ of }: { of: unknown }) {
  const t = useTexts(T);
  if (isList(of))
    return (
      <ol>
        {of.map((each, index) => (
          <li key={index}>
            <Value of={each} />
          </li>
        ))}
      </ol>
    );
  if (typeof of !== 'object' || of === null) return <>{String(of)}</>;
  const step = '$ref' in of && typeof of.$ref === 'string' ? of.$ref : undefined;
  return step === undefined ? <Inputs of={of} /> : <>{t.fromStep(step)}</>;
}

/** When the money moves, or is due. */
function dayOf(input: object): string | undefined {
  const { date, dueDate }: { date?: unknown; dueDate?: unknown } = input;
  return [date, dueDate].find(
    (day): day is string => typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day),
  );
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
