import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionView, SignedInOrganization } from '../../src/admin/session/session.dto';
import { pathOf } from './api';

export type Session = SessionView;

/** Who is signed in, and for which organization the page is. */
export interface SignedIn {
  readonly session: Session;
  readonly organization: SignedInOrganization;
}

const Context = createContext<SignedIn | undefined>(undefined);
export const SignedInAs = Context.Provider;

/** Within the page of an organization. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(Context);
  if (!signedIn) throw new Error('nobody is signed in here');
  return signedIn;
}

export function useOrganization(): SignedInOrganization {
  return useSignedIn().organization;
}

/** Makes paths of the operators' API below the organization: `path('deliveries', id)`. */
export function useAdminPath(): (...parts: readonly string[]) => string {
  const { slug } = useOrganization();
  return (...parts) => pathOf('organizations', slug, ...parts);
}

/** Makes addresses of the console's own pages for the organization: `href('rules', name)`. */
export function useHref(): (...parts: readonly string[]) => string {
  const { slug } = useOrganization();
  return (...parts) => `/${pathOf(slug, ...parts)}`;
}
