import { MetadataScanner } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA as ROUTE_CONFIG } from '@nestjs/platform-fastify/constants.js';
import type { FastifyRequest } from 'fastify';

/** Whose key a route needs. */
export type KeyNeed = 'organization' | 'operators';

/** Marks all routes of a controller, so that their keys are checked before their bodies are read. */
export function NeedsKey(keyNeed: KeyNeed): ClassDecorator {
  return ({ prototype }) => {
    const methods = prototype as Record<string, object>;
    for (const name of new MetadataScanner().getAllMethodNames(methods)) {
      const handler = methods[name] as object;
      const config = Reflect.getMetadata(ROUTE_CONFIG, handler) as object | undefined;
      Reflect.defineMetadata(ROUTE_CONFIG, { ...config, keyNeed }, handler);
    }
  };
}

/** undefined: none, or one that a guard alone knows of. */
export function keyNeedOf(request: FastifyRequest): KeyNeed | undefined {
  return (request.routeOptions.config as { keyNeed?: KeyNeed }).keyNeed;
}
