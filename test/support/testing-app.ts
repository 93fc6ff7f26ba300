import { Global, Module, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import request from 'supertest';
import { Settings } from '../../src/config/settings';
import { FinanceModule } from '../../src/finance/finance.module';
import { Database } from '../../src/database/database';
import { createApp } from '../../src/http/create-app';
import { LimitsModule } from '../../src/http/limits.module';
import { Clock, SharedClock, SystemClock } from '../../src/kernel/clock';
import { newId } from '../../src/kernel/identifier';
import type { Organization } from '../../src/kernel/organization';
import { ApiKeys } from '../../src/organizations/api-keys';
import { OrganizationsModule } from '../../src/organizations/organizations.module';
import { OrganizationsRepository } from '../../src/organizations/organizations.repository';
import type { Scope } from '../../src/organizations/scope';
import { createLogger, PinoLoggerService } from '../../src/ops/logging';
import { OpsModule } from '../../src/ops/ops.module';
import { openTestDatabase } from './database';
import { OwnClock } from './shared-clock';

export interface TestingAppOptions {
  /** Modules under test, beside organizations and operations; `FinanceModule` is made for the settings. */
  imports?: Type[];
  controllers?: Type[];
  /** Settings, as the environment would give them. */
  env?: Record<string, string>;
  /** A database that somebody else opened and closes; a new one unless given. */
  database?: Database;
  /** The clock; the system's clock unless said otherwise. */
  clock?: Clock;
  /** Last changes to the application before it is initialised. */
  prepare?: (app: NestFastifyApplication) => void;
}

/** The real application around some modules, listening on a free port, with a database of its own. */
export class TestingApp {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly database: Database,
    private readonly ownsDatabase: boolean,
    readonly settings: Settings,
    /** Every line logged so far. */
    readonly log: string[],
  ) {}

  static async open(options: TestingAppOptions = {}): Promise<TestingApp> {
    const database = options.database ?? (await openTestDatabase());
    const settings = new Settings({ LOG_FORMAT: 'json', LOG_LEVEL: 'trace', ...options.env });
    const log: string[] = [];
    const logger = createLogger(settings, { write: (line: string) => void log.push(line) });
    const app = await createApp(moduleOf(database, settings, options), {
      logger: new PinoLoggerService(logger),
      settings,
    });
    options.prepare?.(app);
    await app.listen(0, '127.0.0.1');
    return new TestingApp(app, database, options.database === undefined, settings, log);
  }

  private readonly closing: (() => Promise<void>)[] = [];

  /** Has something else closed after the application and before the database. */
  closeWith(close: () => Promise<void>): void {
    this.closing.push(close);
  }

  /** Requests on the real server. */
  get http(): ReturnType<typeof request> {
    return request(this.app.getHttpServer());
  }

  /** A new organization, with a slug of its own. */
  makeOrganization(slug = `org-${newId()}`): Promise<Organization> {
    return this.app
      .get(OrganizationsRepository)
      .create({ slug, name: `The ${slug}`, timeZone: 'America/Sao_Paulo', currency: 'BRL' });
  }

  /** A new key of an organization. */
  makeKey(organization: Organization, ...scopes: Scope[]): Promise<{ id: string; key: string }> {
    return this.database.transaction((tx) =>
      this.app.get(ApiKeys).create(tx, organization.id, 'a key of a test', scopes),
    );
  }

  async close(): Promise<void> {
    await this.app.close();
    for (const close of this.closing) await close();
    if (this.ownsDatabase) await this.database.close();
  }
}

function moduleOf(database: Database, settings: Settings, options: TestingAppOptions): Type {
  const clock = options.clock ?? new SystemClock();
  @Global()
  @Module({
    providers: [
      { provide: Database, useValue: database },
      { provide: Settings, useValue: settings },
      { provide: Clock, useValue: clock },
      { provide: SharedClock, useValue: new OwnClock(clock) },
    ],
    exports: [Database, Settings, Clock, SharedClock],
  })
  class SurroundingsModule {}

  const rooms = (options.imports ?? []).map((room) =>
    room === FinanceModule ? FinanceModule.for(settings) : room,
  );

  @Module({
    imports: [SurroundingsModule, OrganizationsModule, LimitsModule, OpsModule, ...rooms],
    controllers: options.controllers ?? [],
  })
  class TestingAppModule {}

  return TestingAppModule;
}
