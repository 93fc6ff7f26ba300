import { attempt } from '../../api/effects/effect-input';
import { onlySupplier, readSupplier, type SupplierInput } from '../../api/effects/supplier-find';
import { isRefused } from '../../api/ports/outcome';
import { findSuppliers } from '../names/suppliers.repository';
import { applyReadable, type EffectHandler } from './effect-handler';

export const findSupplier: EffectHandler<SupplierInput> = {
  recordsOf: () => 0,
  outputOf: () => ({}),
  async applyMany({ tx }, effects) {
    const wanted = effects.map(({ organization, input }) =>
      attempt(() => ({ organization, by: readSupplier(input) })),
    );
    const found = await applyReadable(wanted, async (readable) => {
      const ids = await findSuppliers(tx, readable);
      return readable.map(({ by }, index) => {
        const only = onlySupplier(ids[index] ?? [], by);
        return typeof only === 'string' ? { id: only } : only;
      });
    });
    return found.map((outcome) =>
      isRefused(outcome) ? outcome : { output: { id: outcome.id }, attention: [], found: true, changes: [] },
    );
  },
};
