import type { ComponentChildren } from 'preact';
import { texts, useTexts } from '../../texts';
import { useFieldName } from '../../words';
import { Fact, Day, Money } from '../../ui/basics';

const T = texts(
  { made: (step: string) => `what the step ${step} makes` },
  { made: (step: string) => `o que o passo ${step} cria` },
);

const AMOUNTS: ReadonlySet<string> = new Set(['value', 'amount', 'total', 'openBalance', 'discount']);
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Members of what an effect is asked with, by the names that people give them. */
export function Content({ of, currency }: { of: object; currency?: string | undefined }) {
  const nameOf = useFieldName();
  const members = Object.entries(of as Readonly<Record<string, unknown>>).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (members.length === 0) return null;
  return (
    <dl class="facts members">
      {members.map(([name, value]) => (
        <Fact key={name} name={nameOf(name)}>
          <Value name={name} value={value} currency={currency} />
        </Fact>
      ))}
    </dl>
  );
}

function Value({
  name,
  value,
  currency,
}: {
  name: string;
  value: unknown;
  currency: string | undefined;
}): ComponentChildren {
  const t = useTexts(T);
  if (typeof value === 'string') {
    if (DAY.test(value)) return <Day day={value} />;
    return AMOUNTS.has(name) && isAmount(value) ? <Money amount={value} currency={currency} /> : value;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value))
    return (
      <ul>
        {value.map((item: unknown, index) => (
          <li key={index}>
            <Value name={name} value={item} currency={currency} />
          </li>
        ))}
      </ul>
    );
  if (typeof value !== 'object' || value === null) return null;
  const reference: unknown = '$ref' in value ? value.$ref : undefined;
  if (typeof reference === 'string') return t.made(reference.split('.')[0] ?? '');
  return <Content of={value} currency={currency} />;
}

function isAmount(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}
