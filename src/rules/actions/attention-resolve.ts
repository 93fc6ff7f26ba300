import { isRuleCode, RULE_CODE_FORM } from '../../finance/api/effects/attention';
import { defineAction } from './action';
import { required, textOf } from './input-types';

const ruleCode = textOf(RULE_CODE_FORM, isRuleCode);

export const attentionResolve = defineAction({
  name: 'attention.resolve',
  description:
    'Takes off the list what attention.raise put there under a code about the same order: what it asked for has happened. It changes nothing in the books.',
  undo: 'what is off the list is not put there again',
  asks: [],
  onlyTells: true,
  input: { code: required(ruleCode, `the code that attention.raise gave: ${RULE_CODE_FORM}`) },
  output: {},
  key: { required: false, description: 'not used: it is about the order, and harmless to repeat' },
  plan({ code }) {
    return { effects: [], resolves: [code] };
  },
});
