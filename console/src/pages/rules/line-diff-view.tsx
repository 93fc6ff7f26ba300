import { texts, useTexts } from '../../texts';
import { Nothing } from '../../ui/basics';
import { countOf, type DiffLine, lineDiff, type NumberedLine } from './line-diff';

const T = texts(
  {
    caption: (before: string, after: string) => `${before} and ${after}, line by line`,
    line: 'Line',
    same: (count: number) => (count === 1 ? 'One line is the same' : `${count} lines are the same`),
    nothing: 'Both are the same.',
    counts: (added: string, removed: string) => `Lines that come: ${added}. Lines that go: ${removed}.`,
    goes: 'goes',
    comes: 'comes',
  },
  {
    caption: (before: string, after: string) => `${before} e ${after}, linha por linha`,
    line: 'Linha',
    same: (count: number) => (count === 1 ? 'Uma linha igual' : `${count} linhas iguais`),
    nothing: 'São iguais.',
    counts: (added: string, removed: string) => `Linhas que entram: ${added}. Linhas que saem: ${removed}.`,
    goes: 'sai',
    comes: 'entra',
  },
);

/** Lines that are the same and stand further than this from a difference are not shown. */
const AROUND = 3;

/** Two texts side by side, with what is different. */
export function LineDiff({
  before,
  after,
  names: [left, right],
}: {
  before: string;
  after: string;
  /** What the two are called. */
  names: readonly [string, string];
}) {
  const t = useTexts(T);
  if (before === after) return <Nothing>{t.nothing}</Nothing>;
  const lines = lineDiff(before, after);
  const { added, removed } = countOf(lines);
  return (
    <>
      <p>{t.counts(String(added), String(removed))}</p>
      <div class="table diff" tabIndex={0} role="region" aria-label={t.caption(left, right)}>
        <table>
          <caption class="unseen">{t.caption(left, right)}</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                {t.line}
              </th>
              <th scope="col">{left}</th>
              <th scope="col" class="number">
                {t.line}
              </th>
              <th scope="col">{right}</th>
            </tr>
          </thead>
          <tbody>
            {shown(lines).map((line, index) =>
              typeof line === 'number' ? (
                <tr key={index} class="skipped">
                  <td colSpan={4}>{t.same(line)}</td>
                </tr>
              ) : (
                <tr key={index}>
                  <Side line={line.before} sign={line.kind === 'same' ? undefined : ['−', t.goes, 'goes']} />
                  <Side line={line.after} sign={line.kind === 'same' ? undefined : ['+', t.comes, 'comes']} />
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Side({
  line,
  sign,
}: {
  line: NumberedLine | undefined;
  sign: readonly [sign: string, word: string, look: string] | undefined;
}) {
  const [mark, word, look] = line && sign ? sign : [];
  return (
    <>
      <td class="number">{line?.number}</td>
      <td class={look ?? ''}>
        {line && (
          <span class="sign" aria-hidden="true">
            {mark}
          </span>
        )}
        {word && <span class="unseen">{word}: </span>}
        {line?.text}
      </td>
    </>
  );
}

/** Differences with some lines around them; a number stands for so many lines that are the same. */
function shown(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const isNear = lines.map(() => false);
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') isNear.fill(true, Math.max(0, index - AROUND), index + AROUND + 1);
  const all: (DiffLine | number)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = all.at(-1);
    if (isNear[index]) all.push(line);
    else if (typeof last === 'number') all[all.length - 1] = last + 1;
    else all.push(1);
  }
  return all;
}
