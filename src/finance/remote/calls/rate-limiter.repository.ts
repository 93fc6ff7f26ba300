import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { RateLimiter } from '../client/rate-limiter';

/**
 * The rate as one row an organization, the time of the next free slot, moved on by one statement. Reckoned by the
 * database's clock, which all replicas share. Slots are evenly spaced: no burst after a pause.
 */
@Injectable()
export class RateLimiterRepository extends RateLimiter {
  constructor(private readonly database: Database) {
    super();
  }

  override async take(organizationId: string, perSecond: number, patienceMs: number): Promise<number> {
    const seconds = 1 / perSecond;
    const rows = await this.database.prisma.$queryRaw<{ wait: number }[]>`
      with slot as (
        insert into finance_pace as pace (organization_id, next_at)
        values (${organizationId}::uuid, clock_timestamp() + make_interval(secs => ${seconds}::float8))
        on conflict (organization_id) do update
        set next_at = greatest(pace.next_at, clock_timestamp()) + make_interval(secs => ${seconds}::float8)
        where pace.next_at <= clock_timestamp() + make_interval(secs => ${patienceMs / 1000}::float8)
        returning next_at - make_interval(secs => ${seconds}::float8) as at
      )
      select coalesce(
        (select least(${patienceMs}::float8, ceil(extract(epoch from at - clock_timestamp()) * 1000)) from slot),
        -- As it was when this statement began: another may have moved it since, so it is not to be trusted to
        -- be as far away as it must be for no slot to be taken.
        greatest(${patienceMs}::float8 + 1, (
          select ceil(extract(epoch from next_at - clock_timestamp()) * 1000) from finance_pace
          where organization_id = ${organizationId}::uuid
        ))
      )::float8 as wait`;
    return Math.max(0, rows[0]?.wait ?? patienceMs + 1);
  }

  override async throttle(organizationId: string, milliseconds: number): Promise<void> {
    await this.database.prisma.$executeRaw`
      insert into finance_pace as pace (organization_id, next_at)
      values (${organizationId}::uuid, clock_timestamp() + make_interval(secs => ${milliseconds / 1000}::float8))
      on conflict (organization_id) do update set next_at = greatest(pace.next_at, excluded.next_at)`;
  }
}
