import { isRuleCode, RULE_CODE_FORM } from '../../finance/api/effects/attention';
import { defineAction } from './action';
import { money, optional, required, text } from './input-types';

export const attentionRaise = defineAction({
  name: 'attention.raise',
  description:
    'Asks a person to look at something, once for its key, and tells connectors. It changes nothing in the books.',
  undo: 'a person takes it off the list (ponte attention resolve)',
  asks: [],
  input: {
    code: required(text, `what it is about, for filters: ${RULE_CODE_FORM}, such as rule-large-order`),
    message: required(text, 'a sentence that says what to do, without personal data'),
    value: optional(money, 'the amount in question, in any currency'),
  },
  output: {},
  key: { required: true, description: 'business key, for example ${order.key}/large' },
  plan({ code, message, value }, { organization, key }) {
    if (!isRuleCode(code)) return { refused: `the code must be ${RULE_CODE_FORM}` };
    if (value?.isNegative) return { refused: `the value is ${value.toString()}; it must not be negative` };
    const foreign = value !== undefined && value.currency !== organization.currency;
    return {
      effects: [
        {
          ...{ key: `attention/${key}`, operation: 'attention.raise' },
          // An amount in another currency is compared with nothing.
          ...(value !== undefined && !foreign && { amount: value.toString() }),
          input: {
            ...{ code, message },
            ...(value !== undefined && { value: value.toString() }),
            ...(foreign && { currency: value.currency }),
          },
        },
      ],
    };
  },
});
