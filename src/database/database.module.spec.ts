import { Global, Injectable, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { testDatabasePlace, testSettings, type TestDatabasePlace } from '../../test/support/database';
import { Settings } from '../config/settings';
import { Database } from './database';
import { DatabaseModule } from './database.module';

describe('DatabaseModule', () => {
  let place: TestDatabasePlace;

  beforeAll(async () => {
    place = await testDatabasePlace();
  });

  afterAll(() => place.drop());

  it('provides the database of the settings and closes it after those who use it', async () => {
    const seen: number[] = [];

    @Injectable()
    class User implements BeforeApplicationShutdown {
      constructor(private readonly database: Database) {}

      async beforeApplicationShutdown(): Promise<void> {
        seen.push(await this.database.prisma.organization.count());
      }
    }

    @Global()
    @Module({
      providers: [{ provide: Settings, useValue: testSettings(place.environment) }],
      exports: [Settings],
    })
    class Config {}

    const module = await Test.createTestingModule({
      imports: [Config, DatabaseModule],
      providers: [User],
    }).compile();
    await module.init();
    const database = module.get(Database);
    await module.close();
    expect(seen).toEqual([0]);
    await expect(database.query({ name: 'x', text: 'SELECT 1' }, [])).rejects.toThrow();
  });
});
