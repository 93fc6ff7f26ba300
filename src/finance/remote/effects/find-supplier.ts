import { onlySupplier, readSupplier, type SupplierInput } from '../../api/effects/supplier-find';
import type { RemoteEffectHandler } from './remote-effect';

/** Finds a supplier (operation 19). Nothing is changed. */
export const findSupplier: RemoteEffectHandler<SupplierInput> = async ({ connection, input, tools }) => {
  const wanted = readSupplier(input);
  const only = onlySupplier(await tools.reads.suppliers(connection, wanted), wanted);
  if (typeof only !== 'string') throw only;
  return { state: 'existing', output: { id: only }, attention: [] };
};
