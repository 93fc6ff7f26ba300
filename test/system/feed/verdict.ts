import type { Version } from './writers';

/** What is wrong with what a reader got. */
export interface Verdict {
  /** Changes that came again, by id. */
  repeated: number;
  /** Entities of which a change is missing, came that was not committed, or came in another order. */
  disturbed: string[];
}

export const IN_ORDER: Verdict = { repeated: 0, disturbed: [] };

/** Holds what a reader got, in the order in which it came, against what was committed. */
export function judge(
  items: readonly { id: string; data: unknown }[],
  committed: ReadonlyMap<string, number>,
): Verdict {
  const versions = new Map<string, number>();
  const disturbed = new Set<string>();
  for (const { data } of items) {
    const { entity, version } = data as Version;
    if (version !== (versions.get(entity) ?? 0) + 1) disturbed.add(entity);
    versions.set(entity, version);
  }
  for (const entity of new Set([...versions.keys(), ...committed.keys()]))
    if (versions.get(entity) !== committed.get(entity)) disturbed.add(entity);
  return {
    repeated: items.length - new Set(items.map(({ id }) => id)).size,
    disturbed: [...disturbed].sort(),
  };
}
