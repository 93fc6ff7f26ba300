import { useState } from 'preact/hooks';
import { useLocation, useParams, useSearchParams } from 'wouter-preact';
import type { RuleTemplateDetail } from '../../../../src/admin/rules/rules.dto';
import type { PutRule, RuleDetail } from '../../../../src/admin/rules/rules.dto';
import { ApiProblem, get, writeText } from '../../api';
import { useLoaded } from '../../loaded';
import { useAdminPath, useHref, useOrganization } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Fact, Button, Heading, Instant, WhenLoaded } from '../../ui/basics';
import { RuleBacktest } from './backtest';
import { useChecked } from './checking';
import { DocumentEditor } from './document-editor';
import { type Draft, draftOf, keepDraft } from './drafts';
import { LineDiff } from './line-diff-view';
import { RulePreview } from './preview';
import { ActsOn, RuleState, RuleSwitch } from './rule-switch';
import { RuleSettings } from './settings';
import { type Tab, Tabs } from './tabs';
import { RuleVersions } from './versions';
import './rules.css';

const T = texts(
  {
    title: (name: string) => `Rule ${name}`,
    untitled: 'Rule',
    newTitle: 'New rule',
    newSays: 'It is stored when you put it into force. Until then you can try it on webhooks that came.',
    state: 'State',
    version: 'Version in force',
    since: 'Since',
    acts: 'Acts',
    parts: 'Parts of the rule',
    document: 'Document',
    versions: 'Versions',
    settings: 'Settings',
    preview: 'Try on a webhook',
    backtest: 'Try on a period',
    changed: 'You have changed the document. What you wrote is not in force yet.',
    discard: 'Discard what I wrote',
    save: 'Put into force',
    saveTitle: (name: string) => `Put the rule ${name} into force`,
    saveNew: 'It acts from now on, on what arrives.',
    saveChanged: (version: number) =>
      `It takes the place of version ${version} and acts from now on, on what arrives. What was booked stays as it is.`,
    saveDisabled: 'The rule is disabled, and stays so: it acts once it is enabled.',
    saved: (name: string) => `The rule ${name} is in force as you wrote it.`,
    unsure: 'It can be put into force once nothing is wrong with it.',
    same: 'The document is as it is in force.',
    inForce: (version: number) => `Version ${version}, in force`,
    draft: 'What you wrote',
    notPut: 'It was not put into force',
    meanwhile: (version: number) =>
      `Version ${version} was put into force meanwhile. Compare it under Versions, then discard what you wrote or put it again.`,
    taken: (name: string) =>
      `There is a rule ${name} already. Give this one another name, or change that one.`,
    renamed: (name: string) => `The document has to say "rule: ${name}": a rule keeps its name.`,
  },
  {
    title: (name: string) => `Regra ${name}`,
    untitled: 'Regra',
    newTitle: 'Nova regra',
    newSays: 'Ela é guardada quando entra em vigor. Até lá você pode testá-la com webhooks que chegaram.',
    state: 'Estado',
    version: 'Versão em vigor',
    since: 'Desde',
    acts: 'Age',
    parts: 'Partes da regra',
    document: 'Documento',
    versions: 'Versões',
    settings: 'Ajustes',
    preview: 'Testar em um webhook',
    backtest: 'Testar em um período',
    changed: 'Você alterou o documento. O que escreveu ainda não está em vigor.',
    discard: 'Descartar o que escrevi',
    save: 'Pôr em vigor',
    saveTitle: (name: string) => `Pôr a regra ${name} em vigor`,
    saveNew: 'Ela age a partir de agora, sobre o que chegar.',
    saveChanged: (version: number) =>
      `Toma o lugar da versão ${version} e age a partir de agora, sobre o que chegar. O que já foi lançado fica como está.`,
    saveDisabled: 'A regra está inativa e continua assim: só age depois de ativada.',
    saved: (name: string) => `A regra ${name} está em vigor como você a escreveu.`,
    unsure: 'Pode entrar em vigor quando não houver nada de errado.',
    same: 'O documento é o que está em vigor.',
    inForce: (version: number) => `Versão ${version}, em vigor`,
    draft: 'O que você escreveu',
    notPut: 'Não entrou em vigor',
    meanwhile: (version: number) =>
      `A versão ${version} entrou em vigor nesse meio-tempo. Compare-a em Versões e depois descarte o que escreveu ou ponha em vigor de novo.`,
    taken: (name: string) => `Já existe uma regra ${name}. Dê outro nome a esta ou altere aquela.`,
    renamed: (name: string) => `O documento tem de dizer "rule: ${name}": uma regra mantém o nome.`,
  },
);

/** The members that every rule has. */
const EMPTY = `rule: my-rule
when:
  event: order.paid
  all:
    - '!order.test'
then:
  - id: customer
    do: customer.ensure
    with:
      name: \${order.customer.name}
`;

/** One rule: its document, its versions, its settings, and what it would do. */
export function Rule() {
  const t = useTexts(T);
  const path = useAdminPath();
  const { name = '' } = useParams();
  const loaded = useLoaded<RuleDetail>(path('rules', name));
  return (
    <>
      <Heading title={name === '' ? t.untitled : t.title(name)}>
        {loaded.value && <RuleSwitch rule={loaded.value} onDone={loaded.reload} />}
      </Heading>
      <WhenLoaded of={loaded}>
        {(rule) => (
          <>
            <dl class="facts">
              <Fact name={t.state}>
                <RuleState enabled={rule.enabled} />
              </Fact>
              <Fact name={t.version}>{rule.version}</Fact>
              <Fact name={t.since}>
                <Instant at={rule.createdAt} />
              </Fact>
              <Fact name={t.acts}>
                <ActsOn event={rule.event} />
              </Fact>
            </dl>
            <RuleWork
              key={rule.name}
              place={rule.name}
              stored={rule}
              begin={rule.document}
              onPut={loaded.reload}
            />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

/** A rule that is not stored yet, begun with a template or with nothing. */
export function NewRule() {
  const t = useTexts(T);
  const path = useAdminPath();
  const href = useHref();
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const template = search.get('template');
  const loaded = useLoaded<RuleTemplateDetail>(
    template === null ? undefined : path('rule-templates', template),
  );
  const place = `new ${template ?? ''}`;
  const work = (begin: string) => (
    <RuleWork key={place} place={place} begin={begin} onPut={(name) => go(href('rules', name))} />
  );
  return (
    <>
      <Heading title={t.newTitle} />
      <p>{t.newSays}</p>
      {template === null ? (
        work(EMPTY)
      ) : (
        <WhenLoaded of={loaded}>{({ document }) => work(document)}</WhenLoaded>
      )}
    </>
  );
}

function RuleWork({
  place,
  stored,
  begin,
  onPut,
}: {
  /** Under which what is written is kept: the rule's name, or what no rule is called. */
  place: string;
  /** Undefined: it is a new one. */
  stored?: RuleDetail;
  /** What the document begins with. */
  begin: string;
  onPut: (name: string) => void;
}) {
  const t = useTexts(T);
  const [draft, setDraft] = useDraft(place);
  const [discarded, setDiscarded] = useState(0);
  const text = draft?.text ?? begin;
  const checked = useChecked(text);
  const name = stored?.name ?? checked.check?.name ?? undefined;
  const isChanged = stored === undefined || text !== stored.document;
  const write = (written: string): void =>
    setDraft(
      written === begin ? undefined : { text: written, version: draft ? draft.version : stored?.version },
    );
  const work = { name, stored, document: isChanged ? text : undefined };
  const tabs: Tab[] = [
    {
      ...{ id: 'document', name: t.document, isKept: true },
      content: (
        <>
          <DocumentEditor
            text={text}
            replaced={`${discarded} ${stored?.version ?? ''}`}
            onChange={write}
            checked={checked}
          />
          <div class="actions">
            <Save
              {...{ stored, text, name, isChanged }}
              base={draft ? draft.version : stored?.version}
              isValid={checked.isCurrent && checked.check?.valid === true}
              saidName={checked.check?.name}
              onPut={(put) => {
                setDraft(undefined);
                onPut(put);
              }}
              onOtherVersion={(put, version) => {
                setDraft({ text, version });
                onPut(put);
              }}
            />
            {draft && (
              <Button
                onClick={() => {
                  setDraft(undefined);
                  setDiscarded(discarded + 1);
                }}
              >
                {t.discard}
              </Button>
            )}
          </div>
        </>
      ),
    },
    ...(stored
      ? [
          {
            ...{ id: 'versions', name: t.versions },
            content: (
              <RuleVersions
                key={stored.version}
                rule={stored}
                draft={work.document}
                onPut={() => onPut(stored.name)}
              />
            ),
          },
          {
            ...{ id: 'settings', name: t.settings },
            content: <RuleSettings key={stored.version} name={stored.name} />,
          },
        ]
      : []),
    {
      ...{ id: 'preview', name: t.preview, isKept: true },
      content: <RulePreview {...work} documentEvent={checked.check?.event ?? null} />,
    },
    { ...{ id: 'backtest', name: t.backtest, isKept: true }, content: <RuleBacktest {...work} /> },
  ];
  return (
    <>
      {draft && stored && isChanged && (
        <p class="notice" role="status">
          {t.changed}
        </p>
      )}
      <Tabs label={t.parts} tabs={tabs} />
    </>
  );
}

/** What was written and not put yet. */
function useDraft(name: string): [Draft | undefined, (draft: Draft | undefined) => void] {
  const { slug } = useOrganization();
  const place = `${slug}/${name}`;
  const [draft, setDraft] = useState(() => draftOf(place));
  const set = (next: Draft | undefined): void => {
    keepDraft(place, next);
    setDraft(next);
  };
  return [draft, set];
}

function Save({
  stored,
  base,
  text,
  name,
  saidName,
  isChanged,
  isValid,
  onPut,
  onOtherVersion,
}: {
  stored: RuleDetail | undefined;
  /** The version that was in force when the writing began. */
  base: number | undefined;
  text: string;
  name: string | undefined;
  /** As the document says it. */
  saidName: string | null | undefined;
  isChanged: boolean;
  isValid: boolean;
  onPut: (name: string) => void;
  /** Another version than `base` is in force. */
  onOtherVersion: (name: string, version: number) => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  if (!isChanged) return <p class="quiet">{t.same}</p>;
  if (!isValid || name === undefined || saidName !== name)
    return (
      <>
        <Button kind="main" disabled>
          {t.save}
        </Button>
        <p class="quiet">{isValid && name !== undefined ? t.renamed(name) : t.unsure}</p>
      </>
    );
  const put = async (reason: string): Promise<void> => {
    try {
      await writeText<PutRule>('PUT', path('rules', name), text, { reason, version: base ?? 0 });
    } catch (failure) {
      if (!(failure instanceof ApiProblem && failure.problem.status === 409)) throw failure;
      const { version } = await get<RuleDetail>(path('rules', name));
      if (version === base) throw failure;
      if (stored === undefined) throw refused(t.notPut, t.taken(name));
      onOtherVersion(name, version);
      throw refused(t.notPut, t.meanwhile(version));
    }
  };
  return (
    <Act
      label={t.save}
      title={t.saveTitle(name)}
      kind="main"
      done={t.saved(name)}
      act={put}
      onDone={() => onPut(name)}
    >
      <p>{stored ? (stored.enabled ? t.saveChanged(stored.version) : t.saveDisabled) : t.saveNew}</p>
      {stored && (
        <LineDiff before={stored.document} after={text} names={[t.inForce(stored.version), t.draft]} />
      )}
    </Act>
  );
}

function refused(title: string, detail: string): ApiProblem {
  return new ApiProblem({ status: 409, title, detail });
}
