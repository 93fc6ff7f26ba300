import { wrongUsage } from './failure';
import type { Session } from './session';

/**
 * Organization and slug of a source as the command line names it: `main/shopify`, or the slug alone with `--org`.
 * @throws Failure of wrong usage
 */
export function sourceAddress(session: Session, source: string): [organization: string, slug: string] {
  const parts = source.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) throw wrongUsage('--source is an organization and a slug: main/shopify');
  return second === undefined ? [session.organization, first] : [first, second];
}
