import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { RequestMethod } from '@nestjs/common';
import { FinanceModule } from '../../finance.module';
import { servedBy } from './operation.decorator';
import { EXTENSIONS, OPERATIONS, SERVED } from './operations';

interface Route {
  id: string | undefined;
  method: string;
  paths: string[];
}

/** Every route of the finance controllers, as Nest will serve it. */
function routes(): Route[] {
  const controllers = Reflect.getMetadata('controllers', FinanceModule) as { prototype: object }[];
  return controllers.flatMap((controller) => {
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
    return Object.getOwnPropertyNames(controller.prototype)
      .filter((name) => name !== 'constructor')
      .map((name) => (controller.prototype as Record<string, object>)[name]!)
      .filter((handler) => Reflect.hasMetadata(PATH_METADATA, handler))
      .map((handler) => ({
        id: servedBy(handler),
        method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!,
        paths: [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]]
          .flat()
          .map((path) => `/${base}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')),
      }));
  });
}

/** Parameters have no names here: what counts is their places. */
function anonymous(path: string): string {
  return path.replace(/\{\w+\}|:\w+/g, '*');
}

it('are nineteen, numbered as in the specification', () => {
  expect(OPERATIONS.map(({ number }) => number)).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(19);
});

it('have extensions beside them, without numbers', () => {
  expect(new Set(EXTENSIONS.map(({ number }) => number))).toEqual(new Set([null]));
  const places = SERVED.map(({ method, path }) => `${method} ${anonymous(path)}`);
  expect(new Set(places).size).toBe(SERVED.length);
  expect(new Set(SERVED.map(({ id }) => id)).size).toBe(SERVED.length);
});

it.each(SERVED.map((row) => [row.id, row] as const))('%s has one route, at its path', (id, row) => {
  const serving = routes().filter((route) => route.id === id);
  expect(serving).toHaveLength(1);
  expect(serving[0]!.method).toBe(row.method);
  expect(serving[0]!.paths.map(anonymous)).toContain(anonymous(`/v1${row.path}`));
});

it('are all there is: no route without a row', () => {
  expect(routes().map(({ id }) => id)).not.toContain(undefined);
  expect(routes()).toHaveLength(SERVED.length);
});
