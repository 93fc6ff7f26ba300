import type { AttentionView } from '../../../../src/admin/deliveries/deliveries.dto';
import { write } from '../../api';
import { useFormats } from '../../format';
import type { LoadedPages } from '../../loaded';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { useSayings } from '../../words';
import { Act } from '../../ui/act';
import { Fact, More } from '../../ui/basics';
import { Kind, Need } from './kind';

const T = texts(
  {
    title: 'What somebody should look at',
    none: 'nothing',
    explains: 'Nothing failed here, but the books may not say what happened.',
    code: 'Code',
    resolve: 'It is dealt with',
    resolveTitle: 'Take it off the list',
    resolveSays:
      'This books nothing: do first what has to be done. The same of the same order is not raised again.',
    resolved: 'It is off the list.',
    askApproval: (count: string) =>
      `${count} of these ask for an approval: they go off the list by themselves when you decide below.`,
  },
  {
    title: 'O que alguém deve ver',
    none: 'nada',
    explains: 'Aqui nada falhou, mas os livros talvez não digam o que aconteceu.',
    code: 'Código',
    resolve: 'Está resolvido',
    resolveTitle: 'Tirar da lista',
    resolveSays:
      'Isto não lança nada: faça antes o que deve ser feito. O mesmo do mesmo pedido não volta a aparecer.',
    resolved: 'Saiu da lista.',
    askApproval: (count: string) =>
      `${count} destes pedem uma aprovação: saem da lista sozinhos quando você decide abaixo.`,
  },
);

/** What waits for an approval is decided on there. */
const APPROVAL = 'approval-required';

/** What nothing failed for, but a person has to look at. */
export function AttentionItems({
  list,
  count,
  onDone,
}: {
  list: LoadedPages<AttentionView>;
  count: string;
  onDone: () => void;
}) {
  const t = useTexts(T);
  const formats = useFormats();
  const { items = [] } = list;
  const [approvals, others] = [true, false].map((asks) =>
    items.filter(({ code }) => (code === APPROVAL) === asks),
  );
  const listed = (some: readonly AttentionView[] | undefined) => (
    <ul class="needs">
      {some?.map((item) => (
        <Item key={item.id} item={item} onDone={onDone} />
      ))}
    </ul>
  );
  return (
    <Kind title={t.title} none={t.none} count={count} list={list}>
      <p class="hint">{t.explains}</p>
      {approvals && approvals.length > 0 && (
        <details>
          <summary>{t.askApproval(formats.count(approvals.length))}</summary>
          {listed(approvals)}
        </details>
      )}
      {listed(others)}
      <More of={list} />
    </Kind>
  );
}

function Item({ item, onDone }: { item: AttentionView; onDone: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const [happened, toDo] = useSayings()(item.code);
  return (
    <Need
      title={happened}
      at={item.createdAt}
      businessKey={item.businessKey}
      delivery={item.delivery}
      value={item.value}
      currency={item.currency}
      toDo={toDo}
      facts={
        <Fact name={t.code}>
          <code>{item.code}</code>
        </Fact>
      }
      acts={
        <Act
          label={t.resolve}
          title={t.resolveTitle}
          done={t.resolved}
          act={(reason) => write('POST', path('attention', item.id, 'resolve'), { reason })}
          onDone={onDone}
        >
          <p>
            <strong>{happened}</strong>
          </p>
          <p lang="en">{item.detail}</p>
          <p>{toDo}</p>
          <p class="hint">{t.resolveSays}</p>
        </Act>
      }
    >
      <p lang="en">{item.detail}</p>
    </Need>
  );
}
