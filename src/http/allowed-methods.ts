import type { FastifyInstance } from 'fastify';

interface Route {
  parts: readonly string[];
  method: string;
}

/** Knows every route of an application, to distinguish "no such path" (404) from "not with this method" (405). */
export class AllowedMethods {
  private readonly routes: Route[] = [];

  /** Must be called before routes are added. */
  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) this.routes.push({ method: name, parts: partsOf(url) });
    });
  }

  /** The methods that are served at a path (without query), sorted; none when there is no such path. */
  at(path: string): string[] {
    const parts = partsOf(path);
    const methods = this.routes.filter((route) => matches(route.parts, parts)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  }
}

function partsOf(path: string): string[] {
  return path.split('/');
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  const wildcard = pattern.at(-1) === '*';
  if (wildcard ? parts.length < pattern.length : parts.length !== pattern.length) return false;
  return pattern.every((part, index) => {
    if (part === '*') return true;
    return part.startsWith(':') ? parts[index] !== '' : part === parts[index];
  });
}
