import { jsonBytes } from '../samples';
import type { Sample } from '../source';
import { STANDARD_WEBHOOKS_SAMPLES } from '../standard-webhooks/standard-webhooks.samples';

/** The messages of Standard Webhooks, each in an event. */
export const CLOUDEVENTS_SAMPLES: readonly Sample[] = STANDARD_WEBHOOKS_SAMPLES.map(
  ({ name, topic, body }, index) => ({
    name,
    topic,
    body: jsonBytes({
      specversion: '1.0',
      id: `sample-${index + 1}`,
      source: 'https://loja.example.com/vendas',
      type: `com.example.loja.${topic}`,
      time: '2026-11-20T12:14:06Z',
      datacontenttype: 'application/json',
      data: JSON.parse(body.toString('utf8')) as unknown,
    }),
  }),
);
