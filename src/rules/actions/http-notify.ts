import { defineAction } from './action';
import { namedTexts, required, text, textOf } from './input-types';

const TYPE = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/;
const MOST_OF_TYPE = 60;
const messageType = textOf(
  `lower-case words with dots, such as order.booked, ${MOST_OF_TYPE} characters at most`,
  (type) => type.length <= MOST_OF_TYPE && TYPE.test(type),
);

export const httpNotify = defineAction({
  name: 'http.notify',
  description:
    'Sends a signed message (Standard Webhooks) to an address that an operator listed, at least once for its key, after what the delivery books is committed.',
  undo: 'what was sent is not taken back: send another message under another key',
  asks: [],
  onlyTells: true,
  input: {
    endpoint: required(text, "name of one of the organization's notification endpoints"),
    type: required(messageType, 'what it is about, for the receiver, such as order.booked'),
    data: required(namedTexts, 'what the receiver has to know: texts, amounts, days; no secrets'),
  },
  output: {},
  key: {
    required: true,
    description: 'business key, for example ${order.key}/booked; the receiver knows repetitions by it',
  },
  plan({ endpoint, type, data }, { key }) {
    return {
      effects: [{ key: `notification/${key}`, operation: 'http.notify', input: { endpoint, type, data } }],
    };
  },
});
