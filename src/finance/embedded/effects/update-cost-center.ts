import { type CostCenterInput, readCostCenter } from '../../api/effects/cost-center-update';
import { attempt } from '../../api/effects/effect-input';
import { isRefused } from '../../api/ports/outcome';
import { describeCostCenters } from '../cost-centers/described-cost-centers.repository';
import { applyReadable, type EffectHandler } from './effect-handler';

export const updateCostCenter: EffectHandler<CostCenterInput> = {
  recordsOf: () => 0,
  outputOf: () => ({}),
  async applyMany({ tx }, effects) {
    const read = effects.map(({ organization, input }) =>
      attempt(() => ({ organization, ...readCostCenter(input) })),
    );
    const described = await applyReadable(read, (readable) => describeCostCenters(tx, readable));
    return described.map((outcome) => {
      if (isRefused(outcome)) return outcome;
      const { id, changed } = outcome;
      const changes = changed ? [{ type: 'cost-center.updated' as const, id }] : [];
      return { output: { id }, attention: [], found: !changed, changes };
    });
  },
};
