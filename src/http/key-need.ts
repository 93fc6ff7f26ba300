import { FASTIFY_ROUTE_CONFIG_METADATA as ROUTE_CONFIG } from '@nestjs/platform-fastify/constants.js';
import type { FastifyRequest } from 'fastify';

/** Whose key a route needs. */
export type KeyNeed = 'organization' | 'operators';

/** Marks all routes of a controller, so that their keys are checked before their bodies are read. */
export function NeedsKey(keyNeed: KeyNeed): ClassDecorator {
  return ({ prototype }) => {
    for (const handler of handlersOf(prototype as object)) {
      const config = Reflect.getMetadata(ROUTE_CONFIG, handler) as object | undefined;
      Reflect.defineMetadata(ROUTE_CONFIG, { ...config, keyNeed }, handler);
    }
  };
}

/** undefined: none, or one that a guard alone knows of. */
export function keyNeedOf(request: FastifyRequest): KeyNeed | undefined {
  return (request.routeOptions.config as { keyNeed?: KeyNeed }).keyNeed;
}

/** Those that a controller inherits, too. */
function handlersOf(prototype: object): object[] {
  const handlers: object[] = [];
  for (let one: object = prototype; one !== Object.prototype; one = Object.getPrototypeOf(one) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (name !== 'constructor' && typeof value === 'function') handlers.push(value as object);
  return handlers;
}
