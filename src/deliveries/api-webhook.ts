import { applyDecorators } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { ApiProblems } from '../http/api';
import type { ProblemCode } from '../kernel/problem';

const PROBLEMS_OF_WEBHOOKS: readonly ProblemCode[] = [
  'malformed-request',
  'signature-invalid',
  'body-too-slow',
  'body-too-large',
  'source-paused',
  'saturated',
  'unavailable',
];

const STORED = {
  type: 'object',
  required: ['delivery', 'duplicate'],
  properties: {
    delivery: { type: 'string', format: 'uuid', description: 'What it is stored as' },
    duplicate: { type: 'boolean', description: 'Whether it had been stored before' },
  },
};

/**
 * What the API's description says of webhooks: the bytes are the provider's, and signed as it signs.
 * @param inAddress the secret stands in the address
 */
export function ApiWebhook({ inAddress = false } = {}): MethodDecorator {
  return applyDecorators(
    ...addressParams(inAddress),
    ApiBody({
      description: 'As the provider sends it, to the byte; its signature is in headers',
      required: true,
      schema: {},
    }),
    ApiOkResponse({
      description:
        'Stored, or stored before; as text what greets a provider that asks whether anybody is there, and `store-not-connected` about a store of an application that no source names',
      content: {
        'application/json': { schema: STORED },
        'text/plain': { schema: { type: 'string' } },
      },
    }),
    ApiAcceptedResponse({
      description: 'The same, to a provider that wants this status',
      content: {
        'application/json': { schema: STORED },
        'text/plain': { schema: { type: 'string' } },
      },
    }),
    ApiProblems(...PROBLEMS_OF_WEBHOOKS),
  );
}

/** What the API's description says of what providers ask before they send anything. @param inAddress as of {@link ApiWebhook} */
export function ApiProbe({ inAddress = false } = {}): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      summary: 'Ask whether anybody is there',
      description: 'As some providers do before they send webhooks; 405 to everybody else.',
    }),
    ...addressParams(inAddress),
    ApiOkResponse({
      description: 'What the provider expects, in headers or as text',
      content: {
        'text/plain': { schema: { type: 'string' } },
        'application/json': { schema: { type: 'object' } },
      },
    }),
    ApiProblems('method-not-allowed'),
  );
}

function addressParams(inAddress: boolean): MethodDecorator[] {
  const text = { type: 'string' } as const;
  return [
    ApiParam({ name: 'organization', description: "The organization's slug", schema: text }),
    ApiParam({ name: 'source', description: "The source's slug", schema: text }),
    ...(inAddress ? [ApiParam({ name: 'token', description: 'A secret of the source', schema: text })] : []),
  ];
}
