import { arePaid } from '../../effects/paid-orders.repository';
import { type AttentionInput, readAttention } from '../../api/effects/attention-raise';
import type { RemoteEffectHandler } from './remote-effect';

/** Makes no call: whoever asked for it raises what it leaves to a person. */
export const raiseAttention: RemoteEffectHandler<AttentionInput> = async ({ input, organization, tools }) => {
  const item = readAttention(input, organization);
  const [isPaid] =
    input.unlessPaid === undefined
      ? []
      : await tools.database.transaction((tx) => arePaid(tx, [{ input, organization }]));
  return { state: 'applied', output: {}, attention: isPaid ? [] : [item] };
};
