import { useState } from 'preact/hooks';
import type { ApprovalView } from '../../../../src/admin/approvals/approvals.dto';
import { write } from '../../api';
import { type LoadedPages, usePages } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { useFieldName, useOperation } from '../../words';
import { Act } from '../../ui/act';
import { Fact, Badge, Instant, Money, More, Nothing } from '../../ui/basics';
import { Choice, Kind, Need } from './kind';
import { Content } from './content';

const T = texts(
  {
    title: 'Approvals',
    none: 'none waits',
    explains:
      'A rule wants these made, and asks first. What you approve is made once, exactly as it stands here. If the rule wants something else by then, it asks again.',
    waiting: 'Waiting for a decision',
    declined: 'Declined',
    approved: 'Approved',
    nothing: 'There is nothing of this.',
    rule: 'Rule',
    version: (rule: string, version: number) => `${rule}, version ${version}`,
    effect: 'Effect',
    decided: 'Decided',
    leftOut: (names: string) => `What was about a person is no longer kept: ${names}.`,
    approve: 'Approve',
    approveTitle: 'Have it made',
    approveSays: 'This is made in the books, once:',
    isApproved: 'It was approved and is being made.',
    decline: 'Decline',
    declineTitle: 'Have it never made',
    declineSays: 'This is not made, however often the order comes, until somebody reopens it:',
    isDeclined: 'It was declined.',
    reopen: 'Reopen',
    reopenTitle: 'Let it wait for a decision again',
    reopenSays: 'Nothing is made yet: it waits to be approved or declined again.',
    isReopened: 'It waits for a decision again.',
  },
  {
    title: 'Aprovações',
    none: 'nenhuma espera',
    explains:
      'Uma regra quer fazer isto e pergunta antes. O que você aprova é feito uma vez, exatamente como está aqui. Se até lá a regra quiser outra coisa, ela pergunta de novo.',
    waiting: 'À espera de decisão',
    declined: 'Recusadas',
    approved: 'Aprovadas',
    nothing: 'Não há nada disso.',
    rule: 'Regra',
    version: (rule: string, version: number) => `${rule}, versão ${version}`,
    effect: 'Efeito',
    decided: 'Decidido',
    leftOut: (names: string) => `O que era sobre uma pessoa já não é guardado: ${names}.`,
    approve: 'Aprovar',
    approveTitle: 'Mandar fazer',
    approveSays: 'Isto é lançado nos livros, uma vez:',
    isApproved: 'Foi aprovado e está sendo feito.',
    decline: 'Recusar',
    declineTitle: 'Não fazer nunca',
    declineSays: 'Isto não é feito, por mais que o pedido volte, até que alguém o reabra:',
    isDeclined: 'Foi recusado.',
    reopen: 'Reabrir',
    reopenTitle: 'Voltar a esperar decisão',
    reopenSays: 'Ainda não se faz nada: volta a esperar aprovação ou recusa.',
    isReopened: 'Espera decisão de novo.',
  },
);

type State = ApprovalView['state'];

/** What rules want made that an operator has to agree to. */
export function Approvals({
  list,
  count,
  onDone,
}: {
  /** Those that wait. */
  list: LoadedPages<ApprovalView>;
  count: string;
  onDone: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [state, setState] = useState<State>('waiting');
  const others = usePages<ApprovalView>(state === 'waiting' ? undefined : path('approvals'), { state });
  const shown = state === 'waiting' ? list : others;
  const isDone = (): void => {
    others.reload();
    onDone();
  };
  return (
    <Kind title={t.title} none={t.none} count={count} list={list}>
      <p class="hint">{t.explains}</p>
      <Choice
        value={state}
        onChange={setState}
        choices={(['waiting', 'declined', 'approved'] as const).map((name) => [name, t[name]] as const)}
      />
      {shown.items?.length === 0 && <Nothing>{t.nothing}</Nothing>}
      <ul class="needs">
        {shown.items?.map((approval) => (
          <Approval key={approval.id} approval={approval} onDone={isDone} />
        ))}
      </ul>
      <More of={shown} />
    </Kind>
  );
}

function Approval({ approval, onDone }: { approval: ApprovalView; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const nameOf = useOperation();
  const memberName = useFieldName();
  const { id, state, plan, currency } = approval;
  const decide =
    (how: string) =>
    (reason: string): Promise<unknown> =>
      write('POST', path('approvals', id, how), { reason });
  const planned = (
    <div class="preview">
      <h3>
        {nameOf(plan.operation)} {plan.amount && <Money amount={plan.amount} currency={currency} />}
      </h3>
      <Content of={plan.input} currency={currency} />
      {plan.leftOut && <p class="hint">{t.leftOut(plan.leftOut.map(memberName).join(', '))}</p>}
    </div>
  );
  return (
    <Need
      title={
        <>
          {nameOf(plan.operation)} {plan.amount && <Money amount={plan.amount} currency={currency} />}
          {state !== 'waiting' && <Badge tone="quiet">{t[state]}</Badge>}
        </>
      }
      at={approval.requestedAt}
      businessKey={null}
      delivery={approval.delivery}
      facts={
        <>
          <Fact name={t.rule}>{t.version(approval.rule, approval.ruleVersion)}</Fact>
          <Fact name={t.effect}>
            <code>{approval.effectKey}</code>
          </Fact>
          {approval.decidedAt !== null && (
            <Fact name={t.decided}>
              <Instant at={approval.decidedAt} />
            </Fact>
          )}
        </>
      }
      acts={
        <>
          {state === 'waiting' && (
            <>
              <Act
                label={t.approve}
                title={t.approveTitle}
                kind="main"
                done={t.isApproved}
                act={decide('approve')}
                onDone={onDone}
              >
                <p>{t.approveSays}</p>
                {planned}
              </Act>
              <Act
                label={t.decline}
                title={t.declineTitle}
                kind="danger"
                done={t.isDeclined}
                act={decide('decline')}
                onDone={onDone}
              >
                <p>{t.declineSays}</p>
                {planned}
              </Act>
            </>
          )}
          {state === 'declined' && (
            <Act
              label={t.reopen}
              title={t.reopenTitle}
              done={t.isReopened}
              act={decide('reopen')}
              onDone={onDone}
            >
              <p>{t.reopenSays}</p>
              {planned}
            </Act>
          )}
        </>
      }
    >
      {approval.reason !== null && <p>{approval.reason}</p>}
      <Content of={plan.input} currency={currency} />
    </Need>
  );
}
