import { outcomeIn } from '../outcomes';
import { usePreferences } from '../preferences';

/** How work on a webhook ended, in the console's language where it is known in it. */
export function Outcome({ children }: { children: string | null | undefined }) {
  const { language } = usePreferences();
  if (!children) return null;
  const said = outcomeIn(language, children);
  return said === undefined ? <span lang="en">{children}</span> : <span>{said}</span>;
}
