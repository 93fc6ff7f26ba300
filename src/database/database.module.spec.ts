import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { openTestDatabase } from '../../test/support/database';
import { Database } from './database';
import { DatabaseModule } from './database.module';

describe('DatabaseModule', () => {
  it('provides the open database and closes it after those who use it', async () => {
    const seen: number[] = [];

    @Injectable()
    class User implements BeforeApplicationShutdown {
      constructor(private readonly database: Database) {}

      async beforeApplicationShutdown(): Promise<void> {
        seen.push(await this.database.prisma.organization.count());
      }
    }

    const database = await openTestDatabase();
    const module = await Test.createTestingModule({
      imports: [DatabaseModule.with(database)],
      providers: [User],
    }).compile();
    await module.init();
    await module.close();
    expect(seen).toEqual([0]);
    await expect(database.query({ name: 'x', text: 'SELECT 1' }, [])).rejects.toThrow();
  });
});
