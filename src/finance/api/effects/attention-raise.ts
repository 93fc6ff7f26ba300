import type { Organization } from '../../../kernel/organization';
import { type Attention, isRuleCode, RULE_CODE_FORM } from './attention';
import { changed, type EffectDeclaration } from './declaration';
import { readMoney, readRequired } from './effect-input';
import { Problem } from '../../../kernel/problem';

export interface AttentionInput {
  /** `rule-` and lower-case words with hyphens. */
  code: string;
  /** A sentence for a person. */
  message: string;
  /** Decimal text; absent: it is about no money. */
  value?: string;
  /** ISO 4217 code of the value's currency; absent: the organization's. */
  currency?: string;
  /** Business key of an order: nothing is asked where the messages about it say together that it is paid in full. */
  unlessPaid?: string;
}

/** Something that a rule asks a person to look at. Nothing in the books changes, so there is nothing to undo. */
export const attentionRaise: EffectDeclaration<AttentionInput> = {
  // A rule may say in it whom it is about; it stands in the item that a person looks at.
  personal: ['message'] satisfies (keyof AttentionInput)[],
  differences: (before, now) => changed('code', before.code, now.code),
};

/** An attention item as an effect says it. @throws Problem */
export function readAttention(input: AttentionInput, organization: Organization): Attention {
  const { code, value = '0', currency } = input;
  if (!isRuleCode(code)) throw new Problem('validation-failed', `the code must be ${RULE_CODE_FORM}`);
  const amount = readMoney('value', value, { currency: currency ?? organization.currency });
  return {
    ...{ code, detail: readRequired('message', input.message), amount: amount.toString() },
    ...(currency !== undefined && currency !== organization.currency && { currency }),
  };
}
