import { Prisma } from '../database/client/client';
import { ORIGIN } from './reserved-attributes';

/** Among how many of a source's newest deliveries a webhook is looked for. */
const MOST_SCANNED = 1_000;

/**
 * `id` and `received_at` of the newest webhook that came to the source `s`, for a lateral join. What was imported is none, and
 * what a comparison found even less: it is there because no webhook came.
 */
export const NEWEST_WEBHOOK = Prisma.sql`
  select recent.id, recent.received_at from (
    select d.id, d.received_at, d.attributes from delivery d where d.source_id = s.id
    order by d.received_at desc, d.id desc limit ${MOST_SCANNED}
  ) recent
  where recent.attributes ->> ${ORIGIN} is null
  order by recent.received_at desc, recent.id desc limit 1`;
