import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { hotmartList } from './list';

type Json = Record<string, unknown>;

const FROM = Date.parse('2026-08-10T12:00:00Z');
const TO = Date.parse('2026-08-10T15:00:00Z');
const DAY_MS = 86_400_000;
const PERIOD = { from: new Date(FROM), to: new Date(TO) };
const ACCESS = { settings: {}, credentials: {}, accessToken: 'granted' };
/** The numbers of the ways to ask, in their order. */
const [ORDERED, BOLETOS, PIX, WAITING, PRINTED] = ['0', '1', '2', '3', '4'];

function sale(transaction: unknown, more: Json = {}): Json {
  const purchase = {
    ...{ transaction, status: 'APPROVED', order_date: FROM + 1_000, approved_date: FROM + 2_000 },
    ...{ commission_as: 'PRODUCER', price: { value: 97, currency_code: 'BRL' } },
    ...{ payment: { type: 'PIX', method: 'PIX' }, ...more },
  };
  return { product: { id: 1, name: 'Curso' }, purchase };
}

function readText(body: string, place?: string): ListPage {
  const about = { place, period: PERIOD, timeZone: 'America/Sao_Paulo', settings: {} };
  return hotmartList.read({ name: 'sales', status: 200, body: Buffer.from(body) }, about);
}

function read(items: Json[], place?: string, page_info: Json = {}): ListPage {
  return readText(JSON.stringify({ items, page_info }), place);
}

function asked(place?: string): Record<string, string> {
  const { path } = hotmartList.request(place, PERIOD, ACCESS);
  return Object.fromEntries(new URL(path, 'https://hotmart.example').searchParams);
}

const entities = (page: ListPage) => page.items.map(({ entity }) => entity);

describe("Hotmart's list of sales", () => {
  it('is asked for sales that were ordered in the period, with the token that was granted', () => {
    const { headers, answers } = hotmartList.request(undefined, PERIOD, ACCESS);
    expect([headers, answers]).toEqual([{ authorization: 'Bearer granted', accept: 'application/json' }, []]);
    const period = { start_date: String(FROM), end_date: String(TO), max_results: '50' };
    expect(asked()).toEqual(period);
    expect(asked(WAITING)).toEqual({ ...period, transaction_status: 'WAITING_PAYMENT' });
    expect(asked(PRINTED)).toEqual({ ...period, transaction_status: 'PRINTED_BILLET' });
  });

  it('is asked for boletos and Pix that were ordered before, and may have been paid in the period', () => {
    const end_date = String(FROM - 1);
    expect(asked(BOLETOS)).toEqual({
      ...{ start_date: String(FROM - 10 * DAY_MS), end_date, max_results: '50' },
      payment_type: 'BILLET',
    });
    expect(asked(PIX)).toMatchObject({
      ...{ start_date: String(FROM - 3 * DAY_MS), end_date },
      payment_type: 'PIX',
    });
  });

  it('goes on with the page that Hotmart names, and then with the next way to ask', () => {
    expect(read([sale('HP10')], undefined, { next_page_token: 'eyJwIjoyfQ==' }).next).toBe('0 eyJwIjoyfQ==');
    expect(asked('0 eyJwIjoyfQ==')).toMatchObject({
      ...{ start_date: String(FROM), page_token: 'eyJwIjoyfQ==' },
    });
    expect(read([sale('HP10')], '0 eyJwIjoyfQ==').next).toBe(BOLETOS);
    expect([ORDERED, BOLETOS, PIX, WAITING].map((place) => read([], place).next)).toEqual([
      ...[BOLETOS, PIX, WAITING, PRINTED],
    ]);
    expect(read([], PRINTED)).toEqual({ items: [] });
    expect(readText('{"page_info":{"total_results":0}}', PRINTED)).toEqual({ items: [] });
  });

  it('is refused where it names the same page again', () => {
    expect(() => read([], '0 eyJw', { next_page_token: 'eyJw' })).toThrow(UnreadablePayload);
  });

  it('has a sale that is paid as it was approved, and one that waits as it was ordered', () => {
    const complete = { status: 'COMPLETE' };
    const [paid, done] = read([sale('HP10'), sale('HP11', complete)]).items;
    expect(paid).toMatchObject({ changedAt: new Date(FROM + 2_000), entity: 'order/HP10' });
    expect(JSON.parse(String(paid?.webhook.body))).toEqual({
      event: 'PURCHASE_APPROVED',
      data: { purchase: { transaction: 'HP10', status: 'APPROVED' } },
    });
    expect(String(done?.webhook.body)).toContain('PURCHASE_COMPLETE');
    const waiting = { status: 'WAITING_PAYMENT', approved_date: null };
    const [pix] = read([sale('HP12', waiting)], WAITING).items;
    expect(pix?.changedAt).toEqual(new Date(FROM + 1_000));
    expect(String(pix?.webhook.body)).toContain('PURCHASE_BILLET_PRINTED');
    const undated = read([sale('HP13', { approved_date: null })]).items;
    expect(undated.map(({ changedAt }) => changedAt)).toEqual([new Date(FROM + 1_000)]);
  });

  it('has of the sales that were ordered before those that were approved from the beginning of the period on', () => {
    const sales = [
      sale('HP10', { approved_date: FROM }),
      sale('HP11', { approved_date: FROM - 1 }),
      sale('HP12', { approved_date: null }),
    ];
    for (const place of [BOLETOS, PIX]) expect(entities(read(sales, place))).toEqual(['order/HP10']);
  });

  it('leaves out the sales of others, free ones, and those of which nothing is booked', () => {
    const free = { price: { value: 0, currency_code: 'BRL' } };
    const sales = [
      sale('HP10', { commission_as: 'AFFILIATE' }),
      sale('HP11', { commission_as: 'COPRODUCER' }),
      sale('HP12', free),
      sale('HP13', { status: 'UNDER_ANALISYS' }),
      sale('HP14', { status: 'REFUNDED' }),
      sale('HP15'),
    ];
    expect(entities(read(sales))).toEqual(['order/HP15']);
    const card = { status: 'WAITING_PAYMENT', payment: { type: 'CREDIT_CARD' } };
    expect(entities(read([sale('HP16', card), sale('HP17')], WAITING))).toEqual([]);
  });

  it('keeps transactions beyond 2^53 to the last digit', () => {
    const numeric = '900719925474099301';
    const [item] = readText(JSON.stringify({ items: [sale('ID')] }).replace('"ID"', numeric)).items;
    expect(item?.entity).toBe(`order/${numeric}`);
    expect(String(item?.webhook.body)).toContain(`"transaction":"${numeric}"`);
  });

  it.each([
    ['without sales and pages', '{}'],
    ['with a sale without a transaction', JSON.stringify({ items: [sale(null)] })],
    [
      'with a sale without a day of its order',
      JSON.stringify({ items: [sale('HP10', { order_date: null })] }),
    ],
    ['with a sale without a status', JSON.stringify({ items: [sale('HP10', { status: '' })] })],
    ['with a day that is none', JSON.stringify({ items: [sale('HP10', { approved_date: '2026-08-10' })] })],
  ])('is refused %s', (_, body) => {
    expect(() => readText(body)).toThrow(UnreadablePayload);
  });

  it('has no page that it did not name', () => {
    expect(() => asked('9')).toThrow(UnreadablePayload);
  });
});
