import { arePaid } from '../../effects/paid-orders.repository';
import { type AttentionInput, readAttention } from '../../api/effects/attention-raise';
import { attempt } from '../../api/effects/effect-input';
import { isRefused } from '../../api/ports/outcome';
import type { EffectHandler } from './effect-handler';

/** Makes no record: whoever asked for it raises what it leaves to a person. */
export const raiseAttention: EffectHandler<AttentionInput> = {
  recordsOf: () => 0,
  outputOf: () => ({}),
  async applyMany(posting, effects) {
    const paid = await arePaid(posting.tx, effects);
    return effects.map(({ input, organization }, index) => {
      const item = attempt(() => readAttention(input, organization));
      return isRefused(item) ? item : { output: {}, attention: paid[index] ? [] : [item], changes: [] };
    });
  },
};
