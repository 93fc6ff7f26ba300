import { createHash } from 'node:crypto';
import { DIFFERENCE_KINDS, type DifferenceTotal, type EffectDifference } from './differences';

/** How many effects there are of each kind and operation, and what they come to. */
export function totalsOf(effects: readonly EffectDifference[]): DifferenceTotal[] {
  const totals = new Map<string, DifferenceTotal>();
  for (const { kind, operation, valueMinor = 0n, appliedMinor } of effects) {
    const name = `${kind} ${operation}`;
    const total = totals.get(name) ?? { kind, operation, count: 0, valueMinor: 0n };
    total.count += 1;
    total.valueMinor += kind === 'changed' ? changeOf(valueMinor, appliedMinor) : valueMinor;
    totals.set(name, total);
  }
  const place = ({ kind, operation }: DifferenceTotal): string =>
    `${DIFFERENCE_KINDS.indexOf(kind)} ${operation}`;
  return [...totals.values()].sort((left, right) => (place(left) < place(right) ? -1 : 1));
}

function changeOf(valueMinor: bigint, appliedMinor: bigint | undefined): bigint {
  return appliedMinor === undefined ? 0n : valueMinor - appliedMinor;
}

/** One text for all contents, whatever their order. @param contents a digest of each, by key */
export function digestOf(contents: ReadonlyMap<string, string>): string {
  const all = createHash('sha256');
  for (const key of [...contents.keys()].sort()) all.update(`${key}\n${contents.get(key)}\n`);
  return all.digest('hex').slice(0, 32);
}
