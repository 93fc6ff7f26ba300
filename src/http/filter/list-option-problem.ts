import { didYouMean } from '../../kernel/nearest';
import { Problem } from '../../kernel/problem';

/**
 * The refusal of a list option that cannot be read.
 * @param option `$filter`, `$orderby` or `$skiptoken`
 * @param position of the character at fault, from 1
 * @param nearest the name that was probably meant
 */
export function unreadableOption(
  option: string,
  position: number,
  reason: string,
  nearest?: string,
): Problem {
  const detail = `${option}, character ${position}: ${reason}${didYouMean(nearest)}`;
  return new Problem('malformed-request', detail, {
    members: { parameter: option, position, ...(nearest !== undefined && { nearest }) },
  });
}
