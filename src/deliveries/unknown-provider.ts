import type { SourceProvider } from '../sources/source';

/**
 * Stands for a provider that a newer version of Ponte knows and this one does not, as during an upgrade of one replica
 * after the other. It verifies nothing and reads nothing: what its sources send is left to replicas that can.
 */
export function unknownProvider(id: string): SourceProvider {
  const cannot = (): never => {
    throw new Error(`this version of Ponte does not know the provider ${id}`);
  };
  return {
    id,
    title: id,
    settings: {},
    setUp: [],
    verify: () => ({ ok: false, reason: 'this replica does not know the provider' }),
    identify: cannot,
    normalise: cannot,
    sign: cannot,
    samples: [],
  };
}
