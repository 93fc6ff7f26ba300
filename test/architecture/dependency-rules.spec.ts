import { MODULES } from './modules';
import { PlantedProject, specifier } from './planted-project';

/** Where a file of each module lies. Written out, so that a pattern that no longer matches is noticed. */
const PLACES: Record<string, (name: string) => string> = {
  kernel: (name) => `src/kernel/${name}.ts`,
  events: (name) => `src/events/${name}.ts`,
  config: (name) => `src/config/${name}.ts`,
  database: (name) => `src/database/${name}.ts`,
  organizations: (name) => `src/organizations/${name}.ts`,
  sources: (name) => `src/sources/shopify/${name}.ts`,
  http: (name) => `src/http/${name}.ts`,
  'finance/shapes': (name) => `src/finance/api/shapes/${name}.dto.ts`,
  'finance/ports': (name) => `src/finance/api/ports/${name}.port.ts`,
  'finance/api': (name) => `src/finance/api/controllers/${name}.ts`,
  'finance/effects': (name) => `src/finance/effects/${name}.ts`,
  'finance/ledger': (name) => `src/finance/embedded/ledger/${name}.ts`,
  'finance/embedded': (name) => `src/finance/embedded/customers/${name}.embedded.ts`,
  'finance/client': (name) => `src/finance/remote/client/${name}.ts`,
  'finance/remote': (name) => `src/finance/remote/calls/${name}.ts`,
  'finance/change-detection': (name) => `src/finance/change-detection/${name}.ts`,
  finance: (name) => `src/finance/${name}.ts`,
  'rules/store': (name) => `src/rules/${name}.repository.ts`,
  rules: (name) => `src/rules/actions/${name}.ts`,
  workflows: (name) => `src/workflows/${name}.ts`,
  'privacy/requests': (name) => `src/privacy/requests/${name}.ts`,
  privacy: (name) => `src/privacy/${name}.ts`,
  deliveries: (name) => `src/deliveries/${name}.ts`,
  'feed/changes': (name) => `src/feed/changes/${name}.ts`,
  feed: (name) => `src/feed/${name}.ts`,
  retention: (name) => `src/retention/${name}.ts`,
  'backup/archive': (name) => `src/backup/archive/${name}.ts`,
  backup: (name) => `src/backup/${name}.ts`,
  admin: (name) => `src/admin/${name}.ts`,
  notifications: (name) => `src/notifications/${name}.ts`,
  console: (name) => `src/console/${name}.ts`,
  ops: (name) => `src/ops/${name}.ts`,
  doctor: (name) => `src/doctor/${name}.ts`,
  'cli/here': (name) => `src/cli/here/${name}.ts`,
  cli: (name) => `src/cli/${name}.ts`,
  app: (name) => `src/${name}.ts`,
};

function place(module: string, name: string): string {
  const at = PLACES[module];
  if (!at) throw new Error(`the module ${module} has no place in this test`);
  return at(name);
}

/** The sentences of the design, one by one: a file, what it says, and which rule must refuse it. */
const REFUSED: [behaviour: string, file: string, content: string, rule: string][] = [
  [
    'the kernel imports nothing of ours',
    'src/kernel/a.ts',
    "import { stub } from '../events/stub';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'sources know no finance',
    'src/sources/woo/a.ts',
    "import { stub } from '../../finance/api/ports/stub.port';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'sources know no Nest',
    'src/sources/woo/b.ts',
    "import { Injectable } from '@nestjs/common';\nexport const a = Injectable;",
    'architecture/imports',
  ],
  [
    'sources know no database',
    'src/sources/woo/c.ts',
    "import { stub } from '../../database/stub';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'rules know no implementation of finance',
    'src/rules/b.ts',
    "import { stub } from '../finance/embedded/customers/stub.embedded';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'the finance client knows no implementation',
    'src/finance/remote/client/b.ts',
    "import { stub } from '../../embedded/customers/stub.embedded';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'finance knows no workflow',
    'src/finance/embedded/accounts/b.embedded.ts',
    "import { stub } from '../../../workflows/stub';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'deliveries know no embedded finance',
    'src/deliveries/b.ts',
    "import { stub } from '../finance/embedded/customers/stub.embedded';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'a type counts as an import',
    'src/kernel/b.ts',
    "import type { stub } from '../events/stub';\nexport type A = typeof stub;",
    'architecture/imports',
  ],
  [
    'a module is not imported in passing',
    'src/kernel/c.ts',
    "export type A = typeof import('./stub').stub;",
    '@typescript-eslint/consistent-type-imports',
  ],
  [
    'a module is not required',
    'src/events/n.ts',
    "import stub = require('./stub');\nexport const a = stub;",
    '@typescript-eslint/no-require-imports',
  ],
  [
    'a dynamic import counts',
    'src/kernel/d.ts',
    "export const a = (): Promise<unknown> => import('../events/stub');",
    'architecture/imports',
  ],
  [
    'a module named at run time cannot be checked',
    'src/kernel/e.ts',
    'export const a = (name: string): Promise<unknown> => import(name);',
    'architecture/imports',
  ],
  ['a re-export counts', 'src/kernel/f.ts', "export { stub } from '../events/stub';", 'architecture/imports'],
  [
    'code imports no spec',
    'src/events/b.ts',
    "import { stub } from './c.spec';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'code imports nothing outside src',
    'src/events/d.ts',
    "import { stub } from '../../test/stub';\nexport const a = stub;",
    'architecture/imports',
  ],
  ['a folder without a module is refused', 'src/attic/a.ts', 'export const a = 1;', 'architecture/imports'],
  [
    'a controller does not touch Prisma',
    'src/finance/api/controllers/customers.controller.ts',
    "import { PrismaClient } from '../../../database/client/client';\nexport const a = PrismaClient;",
    'architecture/imports',
  ],
  [
    'workflows do not touch Prisma',
    'src/workflows/b.ts',
    "import type { PrismaClient } from '@prisma/client';\nexport type A = PrismaClient;",
    'architecture/imports',
  ],
  [
    'admin does not touch the driver',
    'src/admin/b.ts',
    "import { Pool } from 'pg';\nexport const a = Pool;",
    'architecture/imports',
  ],
  [
    'deliveries do not touch PGlite',
    'src/deliveries/c.ts',
    "export const a = (): Promise<unknown> => import('@electric-sql/pglite');",
    'architecture/imports',
  ],
  [
    'finance does not call axios itself',
    'src/finance/remote/gateway/customers.remote.ts',
    "import axios from 'axios';\nexport const a = axios;",
    'architecture/imports',
  ],
  [
    'a source calls axios only to fetch back',
    'src/sources/woo/normalise.ts',
    "import axios from 'axios';\nexport const a = axios;",
    'architecture/imports',
  ],
  [
    'HTTP exceptions stay in http',
    'src/finance/api/controllers/b.controller.ts',
    "import { NotFoundException } from '@nestjs/common';\nexport const a = NotFoundException;",
    'architecture/imports',
  ],
  [
    'HttpException itself stays in http',
    'src/deliveries/d.ts',
    "import { HttpException as Refusal } from '@nestjs/common';\nexport const a = Refusal;",
    'architecture/imports',
  ],
  [
    'HTTP exceptions do not hide in a namespace',
    'src/deliveries/e.ts',
    "import * as nest from '@nestjs/common';\nexport const a = nest;",
    'architecture/imports',
  ],
  [
    'nobody uses forwardRef',
    'src/http/b.ts',
    "import { forwardRef } from '@nestjs/common';\nexport const a = forwardRef;",
    'architecture/imports',
  ],
  [
    'the command line knows the service by HTTP alone',
    'src/cli/a.ts',
    "import { stub } from '../http/stub';\nexport const a = stub;",
    'architecture/imports',
  ],
  [
    'the service has no command line',
    'src/ops/command.ts',
    "import { Command } from 'commander';\nexport const a = Command;",
    'architecture/imports',
  ],
  [
    'the service needs no development package',
    'src/ops/b.ts',
    "import fc from 'fast-check';\nexport const a = fc;",
    'import-x/no-extraneous-dependencies',
  ],
  [
    'a cycle of two files is refused',
    'src/events/left.ts',
    "import { right } from './right';\nexport const left = (): unknown => right;",
    'import-x/no-cycle',
  ],
  [
    'a longer cycle is refused',
    'src/events/first.ts',
    "import { second } from './second';\nexport const first = (): unknown => second;",
    'import-x/no-cycle',
  ],
  [
    'nothing is exported without a name',
    'src/events/e.ts',
    'export default 1;',
    'import-x/no-default-export',
  ],
  ['there is no barrel', 'src/events/index.ts', 'export const a = 1;', 'no-restricted-syntax'],
  ['nothing is exported wholesale', 'src/events/f.ts', "export * from './stub';", 'no-restricted-syntax'],
  [
    'a module keeps no map without a bound',
    'src/ops/k.ts',
    'const seen = new Map<string, number>();\nexport const a = (name: string): unknown => seen.get(name);',
    'no-restricted-syntax',
  ],
  [
    'a module exports no set without a bound',
    'src/ops/l.ts',
    'export const seen = new Set<string>();',
    'no-restricted-syntax',
  ],
  [
    'a module keeps no list without a bound',
    'src/ops/m.ts',
    'const seen: string[] = [];\nexport const a = (name: string): number => seen.push(name);',
    'no-restricted-syntax',
  ],
  [
    'a class keeps no map without a bound',
    'src/ops/n.ts',
    'export class Memory {\n  static readonly seen = new Map<string, number>();\n}',
    'no-restricted-syntax',
  ],
  [
    'the environment is not read elsewhere',
    'src/ops/c.ts',
    'export const a = process.env.HOME;',
    'no-restricted-properties',
  ],
  [
    'the environment is not taken apart elsewhere',
    'src/ops/d.ts',
    'export const { env } = process;',
    'no-restricted-properties',
  ],
  [
    'the environment is not imported elsewhere',
    'src/ops/e.ts',
    "import { env } from 'node:process';\nexport const a = env;",
    'no-restricted-imports',
  ],
  [
    "a log line is one object, not pino's two arguments",
    'src/ops/p.ts',
    "import { Logger } from '@nestjs/common';\nexport const a = (error: unknown): void => new Logger('a').error({ err: error }, 'failed');",
    'architecture/log-lines',
  ],
  [
    'a log line says what happened',
    'src/ops/q.ts',
    "import { Logger } from '@nestjs/common';\nexport const a = (line: { id: string }): void => new Logger('a').log(line);",
    'architecture/log-lines',
  ],
  [
    'an error is logged as err alone',
    'src/ops/r.ts',
    "import { Logger } from '@nestjs/common';\nexport const a = (error: unknown): void => new Logger('a').warn({ msg: 'failed', error });",
    'architecture/log-lines',
  ],
  ['nothing prints past the log', 'src/ops/f.ts', "console.log('here');", 'no-console'],
  [
    'a promise is not forgotten',
    'src/ops/g.ts',
    'async function work(): Promise<void> {}\nexport const a = (): void => {\n  work();\n};',
    '@typescript-eslint/no-floating-promises',
  ],
  [
    'a promise is not a condition',
    'src/ops/h.ts',
    'export const a = (work: () => Promise<boolean>): number => (work() ? 1 : 2);',
    '@typescript-eslint/no-misused-promises',
  ],
  [
    'nothing is any',
    'src/ops/i.ts',
    'export const a = (b: any): unknown => b;',
    '@typescript-eslint/no-explicit-any',
  ],
  [
    'a type is imported as a type',
    'src/events/g.ts',
    "import { Stub } from './shape';\nexport type A = Stub;",
    '@typescript-eslint/consistent-type-imports',
  ],
  ['no test stands alone', 'src/events/h.spec.ts', "it.only('x', () => undefined);", 'no-restricted-syntax'],
  [
    'no test is skipped',
    'src/events/i.spec.ts',
    "describe.skip('x', () => undefined);",
    'no-restricted-syntax',
  ],
  [
    'no table of tests is skipped',
    'src/events/j.spec.ts',
    "it.skip.each([1])('x', () => undefined);",
    'no-restricted-syntax',
  ],
  ['no test is left to do', 'src/events/k.spec.ts', "test.todo('x');", 'no-restricted-syntax'],
  [
    'no test is switched off by a letter',
    'src/events/l.spec.ts',
    "xit('x', () => undefined);",
    'no-restricted-syntax',
  ],
];

/** Their lawful neighbours. */
const ACCEPTED: [behaviour: string, file: string, content: string][] = [
  [
    'rules import the ports of finance',
    'src/rules/c.ts',
    "import { stub } from '../finance/api/ports/stub.port';\nexport const a = stub;",
  ],
  [
    'rules import the types of effects',
    'src/rules/d.ts',
    "import { stub } from '../finance/api/effects/effect';\nexport const a = stub;",
  ],
  [
    'a repository uses Prisma',
    'src/admin/audit.repository.ts',
    "import type { PrismaClient } from '../database/client/client';\nexport type A = PrismaClient;",
  ],
  [
    'an embedded resource uses Prisma',
    'src/finance/embedded/accounts/accounts.embedded.ts',
    "import type { PrismaClient } from '../../../database/client/client';\nexport type A = PrismaClient;",
  ],
  [
    'the ledger uses Prisma',
    'src/finance/embedded/ledger/b.ts',
    "import type { PrismaClient } from '../../../database/client/client';\nexport type A = PrismaClient;",
  ],
  ['the database uses the driver', 'src/database/b.ts', "import { Pool } from 'pg';\nexport const a = Pool;"],
  [
    'the finance client uses axios',
    'src/finance/remote/client/c.ts',
    "import axios from 'axios';\nexport const a = axios;",
  ],
  [
    'a source fetches back with axios',
    'src/sources/woo/fetch-back.ts',
    "import axios from 'axios';\nexport const a = axios;",
  ],
  [
    'http throws HTTP exceptions',
    'src/http/c.ts',
    "import { NotFoundException } from '@nestjs/common';\nexport const a = NotFoundException;",
  ],
  [
    'everybody else uses the rest of Nest',
    'src/deliveries/f.ts',
    "import { Injectable } from '@nestjs/common';\nexport const a = Injectable;",
  ],
  ['main reads the environment', 'src/main.ts', 'export const a = process.env;'],
  ['config reads the environment', 'src/config/b.ts', 'export const a = process.env.HOME;'],
  ['two files import a third', 'src/events/m.ts', "import { stub } from './stub';\nexport const a = stub;"],
  [
    'a spec imports across modules',
    'src/sources/woo/a.spec.ts',
    "import { stub } from '../../database/stub';\nit('stands', () => expect(stub).toBe(1));",
  ],
  [
    'a module has constants, weak maps and maps with a bound',
    'src/ops/o.ts',
    "import { BoundedMap } from '../kernel/bounded-map';\nexport const known: ReadonlyMap<string, number> = new Map([['a', 1]]);\nexport const weak = new WeakMap<object, string>();\nexport const recent = new BoundedMap<string, string>(10);\nexport const unique = (names: string[]): Set<string> => new Set(names);",
  ],
  [
    'a log line with a message and an error',
    'src/ops/s.ts',
    "import { Logger } from '@nestjs/common';\nexport const a = (err: unknown): void => new Logger('a').error({ msg: 'failed', id: '1', err });",
  ],
  [
    'an injected class is imported as a value',
    'src/ops/j.ts',
    "import { Injectable } from '@nestjs/common';\nimport { Clock } from '../kernel/clock';\n@Injectable()\nexport class Watch {\n  constructor(readonly clock: Clock) {}\n}",
  ],
];

/** What the planted files above lean on. */
const SUPPORT: [file: string, content: string][] = [
  ['src/finance/api/effects/effect.ts', 'export const stub = 1;'],
  ['src/database/client/client.ts', 'export class PrismaClient {}'],
  ['src/kernel/clock.ts', 'export class Clock {}'],
  [
    'src/kernel/bounded-map.ts',
    'export class BoundedMap<K, V> {\n  readonly entry?: readonly [K, V];\n  constructor(readonly max: number) {}\n}',
  ],
  ['src/events/shape.ts', 'export interface Stub {\n  a: number;\n}'],
  ['src/events/c.spec.ts', 'export const stub = 1;'],
  ['src/events/right.ts', "import { left } from './left';\nexport const right = (): unknown => left;"],
  ['src/events/second.ts', "import { third } from './third';\nexport const second = (): unknown => third;"],
  ['src/events/third.ts', "import { first } from './first';\nexport const third = (): unknown => first;"],
  ['test/stub.ts', 'export const stub = 1;'],
];

/** In every module: a file to import, and one that imports that file of every other module, a line each. */
function plantEveryEdge(project: PlantedProject): void {
  for (const module of MODULES) {
    project.plant(place(module.name, 'stub'), 'export const stub = 1;\n');
    const importer = place(module.name, 'importer');
    const others = MODULES.filter((other) => other !== module);
    const lines = others.map(
      (other, index) =>
        `import { stub as s${index} } from '${specifier(importer, place(other.name, 'stub'))}';`,
    );
    project.plant(
      importer,
      `${lines.join('\n')}\nexport const all = [${others.map((_, i) => `s${i}`).join()}];\n`,
    );
  }
}

describe('the dependency rules', () => {
  const project = new PlantedProject();

  beforeAll(async () => {
    plantEveryEdge(project);
    for (const [file, content] of SUPPORT) project.plant(file, content);
    for (const [, file, content] of [...REFUSED, ...ACCEPTED]) project.plant(file, `${content}\n`);
    await project.lint();
  }, 60_000);

  afterAll(() => project.remove());

  it.each(MODULES.map((module) => [module.name, module] as const))(
    'lets %s import what the table allows and nothing else',
    (_, module) => {
      const others = MODULES.filter((other) => other !== module);
      const reports = project.errorsOf(place(module.name, 'importer'));
      const refused = reports.map(({ rule, line }) => [rule, others[line - 1]?.name]);
      const forbidden = others.filter(({ name }) => !module.mayImport.includes(name));
      expect(refused).toEqual(forbidden.map(({ name }) => ['architecture/imports', name]));
    },
  );

  it.each(REFUSED)('%s', (_, file, __, rule) => {
    expect([...new Set(project.errorsOf(file).map((report) => report.rule))]).toEqual([rule]);
  });

  it.each(ACCEPTED)('%s', (_, file) => {
    expect(project.errorsOf(file)).toEqual([]);
  });

  it('names both modules and what would be allowed', () => {
    expect(project.errorsOf('src/sources/woo/a.ts')[0]?.message).toBe(
      '"sources" may not import "finance/ports" (src/finance/api/ports/stub.port.ts); it may import: events, kernel (architecture.yaml).',
    );
  });
});

describe('the table of modules', () => {
  it('leads nowhere in circles', () => {
    const placed = new Set<string>();
    let rest = [...MODULES];
    while (rest.length > 0) {
      const free = rest.filter(({ mayImport }) => mayImport.every((name) => placed.has(name)));
      if (free.length === 0) break;
      for (const { name } of free) placed.add(name);
      rest = rest.filter(({ name }) => !placed.has(name));
    }
    expect(rest.map(({ name }) => name)).toEqual([]);
  });

  it('opens the kernel to every module', () => {
    const closed = MODULES.filter(
      ({ name, mayImport }) => name !== 'kernel' && !mayImport.includes('kernel'),
    );
    expect(closed).toEqual([]);
  });
});
