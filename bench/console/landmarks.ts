import { withClient } from '../frame/postgres-server';

/** Records that pages are asked about, from the middle of what is stored, so that they are found among all. */
export interface ConsoleLandmarks {
  delivery: string;
  deadDelivery: string;
  /** Of an order. */
  businessKey: string;
  customer: string;
  document: string;
  email: string;
  name: string;
  /** The account with most entries. */
  account: string;
  schedule: string;
  /** Of whoever has most of the audit log. */
  actor: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** The first and the last day of what is stored. */
  firstDay: string;
  lastDay: string;
}

const OF_MAIN = `organization_id = (select id from organization where slug = 'main')`;
const CUSTOMER = `from stakeholder where kind = 'customer' and ${OF_MAIN}
  and id >= (select id from stakeholder where kind = 'customer' and ${OF_MAIN} order by md5(id::text) limit 1) order by id limit 1`;
const MIDDLE = `to_timestamp((extract(epoch from min(received_at)) + extract(epoch from max(received_at))) / 2)`;
/** Each gives one text. */
const TEXTS: Readonly<Record<keyof ConsoleLandmarks, string>> = {
  delivery: `select id::text from delivery where ${OF_MAIN} and topic = 'orders/paid'
    and received_at >= (select ${MIDDLE} from delivery) order by received_at limit 1`,
  deadDelivery: `select id::text from delivery where ${OF_MAIN} and state = 'dead' limit 1`,
  businessKey: `select business_key from run where ${OF_MAIN} order by md5(id::text) limit 1`,
  customer: `select id::text ${CUSTOMER}`,
  document: `select document ${CUSTOMER}`,
  email: `select email ${CUSTOMER}`,
  name: `select name ${CUSTOMER}`,
  account: `select debit_id::text from entry where ${OF_MAIN} and debit_book = 'account'
    group by debit_id order by count(*) desc limit 1`,
  schedule: `select id::text from schedule where ${OF_MAIN} and kind = 'credit' order by md5(id::text) limit 1`,
  actor: `select actor from audit_entry where ${OF_MAIN} group by actor order by count(*) desc limit 1`,
  day: `select to_char(${MIDDLE}, 'YYYY-MM-DD') from delivery`,
  firstDay: `select to_char(min(received_at), 'YYYY-MM-DD') from delivery`,
  lastDay: `select to_char(max(received_at), 'YYYY-MM-DD') from delivery`,
};

/** @throws Error where there is nothing of something */
export async function consoleLandmarks(url: string): Promise<ConsoleLandmarks> {
  return withClient(url, async (client) => {
    const found: [string, string][] = [];
    for (const [name, sql] of Object.entries(TEXTS)) {
      const { rows } = await client.query<[string | null]>({ text: sql, rowMode: 'array' });
      const text = rows[0]?.[0];
      if (typeof text !== 'string') throw new Error(`there is no ${name}`);
      found.push([name, text]);
    }
    return Object.fromEntries(found) as unknown as ConsoleLandmarks;
  });
}
