import { type AttentionInput, readAttention } from '../../api/effects/attention-raise';
import type { RemoteEffectHandler } from './remote-effect';

/** Makes no call: whoever asked for it raises what it leaves to a person. */
export const raiseAttention: RemoteEffectHandler<AttentionInput> = async ({ input, organization }) => ({
  state: 'applied',
  output: {},
  attention: [readAttention(input, organization)],
});
