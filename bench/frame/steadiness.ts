import { median } from './statistics';

/** The memory of a process at one moment. */
export interface Sample {
  /** Resident, in MiB. */
  memory: number;
  /** Of JavaScript, garbage included, in MiB. */
  heap: number;
  /** To PostgreSQL. */
  connections: number;
  /** Open file descriptors, sockets among them. */
  files: number;
  /** Timers, sockets and whatever else keeps the process going. */
  handles: number;
}

/**
 * By how much it grew once it was warm: from the third quarter of the time to the last. Of the heap the lowest values
 * are compared, because what lies above them is garbage; of everything else the medians.
 */
export function growthBetween(samples: readonly Sample[], field: keyof Sample): number {
  const quarter = Math.floor(samples.length / 4);
  const typical = (part: readonly Sample[]): number => {
    const values = part.map((sample) => sample[field]);
    return field === 'heap' ? Math.min(...values) : median(values);
  };
  const third = samples.slice(2 * quarter, 3 * quarter);
  return typical(samples.slice(3 * quarter)) - typical(third);
}
