import { defineAction } from './action';
import { namedTexts, required, text } from './input-types';

const TYPE = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/;
const MOST_OF_TYPE = 60;

export const httpNotify = defineAction({
  name: 'http.notify',
  description:
    'Sends a signed message (Standard Webhooks) to an address that an operator listed, at least once for its key, after what the delivery books is committed.',
  undo: 'what was sent is not taken back: send another message under another key',
  asks: [],
  input: {
    endpoint: required(text, "name of one of the organization's notification endpoints"),
    type: required(text, 'what it is about, for the receiver, such as order.booked'),
    data: required(namedTexts, 'what the receiver has to know: texts, amounts, days; no secrets'),
  },
  output: {},
  key: {
    required: true,
    description: 'business key, for example ${order.key}/booked; the receiver knows repetitions by it',
  },
  plan({ endpoint, type, data }, { key }) {
    if (type.length > MOST_OF_TYPE || !TYPE.test(type))
      return { refused: 'the type must be lower-case words with dots, such as order.booked' };
    return {
      effects: [{ key: `notification/${key}`, operation: 'http.notify', input: { endpoint, type, data } }],
    };
  },
});
