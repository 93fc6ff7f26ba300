import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Part } from './part';

const FOLDER = join(__dirname, 'parts');
const load = createRequire(__filename);

/** Every part of the suite, in the order they run: the files of `bench/parts/`. */
export function allParts(): Part[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => {
      const { part } = load(join(FOLDER, file)) as { part?: Part };
      return part ? [part] : [];
    })
    .sort((left, right) => left.order - right.order);
}

/**
 * The parts of these names; of none: all.
 * @throws Error when a name is no part's
 */
export function chooseParts(all: readonly Part[], names: readonly string[]): Part[] {
  const unknown = names.filter((name) => !all.some((part) => part.name === name));
  if (unknown.length > 0)
    throw new Error(
      `there is no part ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`,
    );
  return all.filter(({ name }) => names.length === 0 || names.includes(name));
}
