import { useState } from 'preact/hooks';
import type { RuleDetail, RuleVersionView } from '../../../../src/admin/rules/rules.dto';
import { writeText } from '../../api';
import { usePages } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Badge, Failure, Field, Instant, More, Section } from '../../ui/basics';
import { Table } from '../../ui/table';
import { LineDiff } from './line-diff-view';

const T = texts(
  {
    title: 'Versions',
    caption: 'Versions, newest first',
    version: 'Version',
    written: 'Put for the first time',
    state: 'State',
    inForce: 'in force',
    act: 'Change',
    back: 'Put into force again',
    backTitle: (version: number) => `Put version ${version} into force again`,
    backSays: (version: number) =>
      `Version ${version} acts from now on, on what arrives. What was booked stays as it is.`,
    done: (version: number) => `Version ${version} is in force again.`,
    compare: 'Compare two versions',
    before: 'This',
    after: 'with this',
    called: (version: number) => `Version ${version}`,
    draft: 'What you wrote',
  },
  {
    title: 'Versões',
    caption: 'Versões, as mais novas primeiro',
    version: 'Versão',
    written: 'Primeira vez em vigor',
    state: 'Estado',
    inForce: 'em vigor',
    act: 'Mudar',
    back: 'Pôr de novo em vigor',
    backTitle: (version: number) => `Pôr a versão ${version} de novo em vigor`,
    backSays: (version: number) =>
      `A versão ${version} age a partir de agora, sobre o que chegar. O que já foi lançado fica como está.`,
    done: (version: number) => `A versão ${version} está de novo em vigor.`,
    compare: 'Comparar duas versões',
    before: 'Esta',
    after: 'com esta',
    called: (version: number) => `Versão ${version}`,
    draft: 'O que você escreveu',
  },
);

const DRAFT = 'draft';

/** The versions of a rule: what changed from one to the other, and the way back to an earlier one. */
export function RuleVersions({
  rule,
  draft,
  onPut,
}: {
  rule: RuleDetail;
  /** Undefined: nothing is written that is not in force. */
  draft: string | undefined;
  onPut: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const list = usePages<RuleVersionView>(path('rules', rule.name, 'versions'));
  const { items, error, reload } = list;
  return (
    <>
      <Section title={t.title}>
        {error && <Failure error={error} again={reload} />}
        {items && (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ version }) => String(version)}
            columns={[
              { name: t.version, isNumber: true, show: ({ version }) => version },
              { name: t.written, show: ({ createdAt }) => <Instant at={createdAt} /> },
              { name: t.state, show: ({ inForce }) => inForce && <Badge tone="good">{t.inForce}</Badge> },
              {
                name: t.act,
                show: (version) =>
                  !version.inForce && <PutAgain rule={rule} version={version} onPut={onPut} />,
              },
            ]}
          />
        )}
        <More of={list} />
      </Section>
      {items && <Compare rule={rule} versions={items} draft={draft} />}
    </>
  );
}

function PutAgain({
  rule,
  version: { version, document },
  onPut,
}: {
  rule: RuleDetail;
  version: RuleVersionView;
  onPut: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  return (
    <Act
      label={t.back}
      title={t.backTitle(version)}
      done={t.done(version)}
      act={(reason) => writeText('PUT', path('rules', rule.name), document, { reason })}
      onDone={onPut}
    >
      <p>{t.backSays(version)}</p>
      <LineDiff
        before={rule.document}
        after={document}
        names={[`${t.called(rule.version)}, ${t.inForce}`, t.called(version)]}
      />
    </Act>
  );
}

function Compare({
  rule,
  versions,
  draft,
}: {
  rule: RuleDetail;
  versions: readonly RuleVersionView[];
  draft: string | undefined;
}) {
  const t = useTexts(T);
  const inForce = String(rule.version);
  const choices = new Map([
    ...(draft === undefined ? [] : [[DRAFT, { name: t.draft, text: draft }] as const]),
    ...versions.map(
      ({ version, document, inForce: isInForce }) =>
        [
          String(version),
          { name: isInForce ? `${t.called(version)}, ${t.inForce}` : t.called(version), text: document },
        ] as const,
    ),
  ]);
  const other = versions.find(({ version }) => version !== rule.version)?.version;
  const [chosen, setChosen] = useState<{ before?: string; after?: string }>({});
  const isWritten = draft !== undefined;
  const before = chosen.before ?? (isWritten || other === undefined ? inForce : String(other));
  const after = chosen.after ?? (isWritten ? DRAFT : inForce);
  const [left, right] = [choices.get(before), choices.get(after)];
  if (choices.size < 2) return null;
  const choose = (value: string, take: (to: string) => void) => (given: { id: string }) => (
    <select {...given} value={value} onChange={({ currentTarget }) => take(currentTarget.value)}>
      {[...choices].map(([id, { name }]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <Section title={t.compare}>
      <div class="filters">
        <Field label={t.before}>{choose(before, (to) => setChosen({ ...chosen, before: to }))}</Field>
        <Field label={t.after}>{choose(after, (to) => setChosen({ ...chosen, after: to }))}</Field>
      </div>
      {left && right && <LineDiff before={left.text} after={right.text} names={[left.name, right.name]} />}
    </Section>
  );
}
