import type { OrderKey } from './expression';
import type { ListFields } from './fields';
import { TokenReader } from './token-reader';

const MAX_KEYS = 5;

/**
 * Reads an `$orderby`: `dueDate desc, stakeholder/name`. Words and properties in any letter case.
 * @throws Problem malformed-request with the position and, for an unknown property, the nearest one
 */
export function parseOrderBy(source: string, fields: ListFields): OrderKey[] {
  const reader = new TokenReader('$orderby', source, fields);
  const keys: OrderKey[] = [];
  for (;;) {
    if (keys.length === MAX_KEYS)
      throw reader.problem(reader.current.position, `there may be at most ${MAX_KEYS} keys`);
    const { path } = reader.path();
    const { word } = reader;
    if (word === 'asc' || word === 'desc') reader.take();
    keys.push({ path, descending: word === 'desc' });
    if (!reader.isSign(',')) break;
    reader.take();
  }
  if (reader.current.kind !== 'end') throw reader.unexpected('the end');
  return keys;
}
