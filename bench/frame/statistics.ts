/**
 * The value below which a share of the numbers lies, by the nearest rank.
 * @param share from 0 to 1: 0.5 for the median, 0.99 for p99
 * @returns NaN of no numbers
 */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** The middle one, or the mean of the two in the middle. @returns NaN of no numbers */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const low = sorted[Math.ceil(sorted.length / 2) - 1];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? NaN : (low + high) / 2;
}

/**
 * Runs each contender once a round, one right after the other, so that whatever else the machine does hits all
 * alike; every second round in the opposite order, so that none always follows the same one.
 * @returns what each contender gave, in the order of the rounds
 */
export async function alternate<Name extends string, Result>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) results[name].push(await contenders[name]());
  }
  return results;
}
