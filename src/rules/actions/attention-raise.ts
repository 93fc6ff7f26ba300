import { isRuleCode, RULE_CODE_FORM } from '../../finance/api/effects/attention';
import { defineAction } from './action';
import { money, optional, required, text, textOf } from './input-types';

const ruleCode = textOf(RULE_CODE_FORM, isRuleCode);

export const attentionRaise = defineAction({
  name: 'attention.raise',
  description:
    'Asks a person to check something, once for its key, and announces it to connectors. It changes nothing in the books.',
  undo: 'a person takes it off the list (ponte attention resolve)',
  asks: [],
  input: {
    code: required(ruleCode, `what it is about, for filters: ${RULE_CODE_FORM}, such as rule-large-order`),
    message: required(text, 'a sentence that says what to do, without personal data'),
    value: optional(money, 'the amount in question, in any currency'),
    unlessPaid: optional(
      text,
      'business key of an order: nothing is asked where the messages about it say together that it is paid in full',
    ),
  },
  output: {},
  key: { required: true, description: 'business key, for example ${order.key}/large' },
  plan({ code, message, value, unlessPaid }, { organization, key }) {
    if (value?.isNegative) return { refused: `the value is ${value.toString()}; it must not be negative` };
    const foreign = value !== undefined && value.currency !== organization.currency;
    return {
      effects: [
        {
          // Nothing is booked, so it has no amount that later messages would be compared with.
          ...{ key: `attention/${key}`, operation: 'attention.raise' },
          input: {
            ...{ code, message },
            ...(value !== undefined && { value: value.toString() }),
            ...(foreign && { currency: value.currency }),
            ...(unlessPaid !== undefined && { unlessPaid }),
          },
        },
      ],
    };
  },
});
