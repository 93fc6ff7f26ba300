import { Logger } from '@nestjs/common';
import { FINANCE_KEY } from '../../../../test/support/remote-finance';
import { httpWire, wireConnection } from '../../../../test/support/http-finance';
import { StubService } from '../../../../test/support/stub-service';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { RemoteReads } from './remote-reads';

const ORGANIZATION: Organization = {
  id: newId(),
  slug: 'acme',
  name: 'Acme',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
};

let service: StubService;
let reads: RemoteReads;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  service = await StubService.start();
  reads = new RemoteReads(httpWire());
});
afterEach(() => service.stop());

const connection = () => wireConnection(service.url());

type Item = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string>>;

/** Answers every list with what a page of it is for the options that were asked for. */
function lists(page: (query: Query) => unknown): void {
  service.answer = (response, { url }) => {
    const body = page(queryOf(url));
    const status = body === undefined ? 400 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  };
}

function queryOf(url: string): Query {
  return Object.fromEntries(new URL(url, 'http://here').searchParams);
}

/** The options of every request so far. */
function asked(): Query[] {
  return service.requests.map(({ url }) => queryOf(url));
}

/** Items from `$skip` on, never more than `most`. */
function cut(items: readonly Item[], { $skip = '0', $top = '1000' }: Query, most = 1000): Item[] {
  const first = Number($skip);
  return items.slice(first, first + Math.min(most, Number($top)));
}

function accounts(count: number): Item[] {
  return Array.from({ length: count }, (_, index) => ({ id: newId(), name: `account ${index}` }));
}

const find = async (name: string): Promise<string[]> =>
  (await reads.accounts(connection(), ORGANIZATION, name)).map(({ id }) => id);

describe('a list', () => {
  const all = accounts(250);
  const wanted = all[249]!['id'];

  it.each<[string, (query: Query) => unknown]>([
    ['pages and counts', (query) => ({ items: cut(all, query), count: 250 })],
    ['pages and does not count', (query) => ({ items: cut(all, query) })],
    ['pages in bare arrays', (query) => cut(all, query)],
    ['counts what is in the page', (query) => ({ items: cut(all, query), count: cut(all, query).length })],
    ['counts too many', (query) => ({ items: cut(all, query), count: 999 })],
    ['counts none', (query) => ({ items: cut(all, query), count: 0 })],
    ['gives fewer than were asked for', (query) => ({ items: cut(all, query, 30) })],
    ['takes no options and gives all', () => ({ items: all, count: 250 })],
  ])('is read to its end where the service %s', async (_what, page) => {
    lists(page);
    expect(await find('account 249')).toEqual([wanted]);
  });

  it('is not taken for whole where the service always gives its beginning', async () => {
    lists(() => ({ items: all.slice(0, 100), count: 250 }));
    await expect(find('account 249')).rejects.toThrow('gives 100 of 250 records');
  });

  it('is not read for ever', async () => {
    lists(() => ({ items: accounts(1) }));
    await expect(find('none')).rejects.toThrow('longer than 100 pages');
    expect(service.requests).toHaveLength(100);
  });

  it.each<[string, (query: Query) => string]>([
    ['absolute', ({ $skip = '0' }) => `${service.url()}/accounts?$skip=${Number($skip) + 100}&$top=100`],
    ['relative', ({ $skip = '0' }) => `?$top=100&$skip=${Number($skip) + 100}`],
    ['only a path', () => '/pages/2'],
    ['no address', () => 'http://['],
  ])('is followed by a link that is %s', async (_how, link) => {
    lists((query) => ({ items: cut(all, query), count: 250, nextPageLink: link(query) }));
    expect(await find('account 249')).toEqual([wanted]);
  });

  it("is followed by the service's own token, with the filter kept", async () => {
    lists(({ $skiptoken }) => ({
      items: $skiptoken === 'more' ? all.slice(100) : all.slice(0, 100),
      nextPageLink: $skiptoken === 'more' ? null : '/accounts?$skiptoken=more',
    }));
    expect(await find('account 249')).toEqual([wanted]);
    expect(asked()[1]).toEqual({ $skiptoken: 'more', $filter: "name eq 'account 249'" });
  });

  it('is never followed to another service, and no key goes there', async () => {
    const other = await StubService.start();
    const link = `${other.url('localhost')}/accounts?$skiptoken=more&apitoken=${FINANCE_KEY}&Organization=theirs`;
    lists(({ $skiptoken }) => ({
      items: $skiptoken ? all.slice(100) : all.slice(0, 100),
      nextPageLink: $skiptoken ? null : link,
    }));
    expect(await find('account 249')).toEqual([wanted]);
    expect([other.connections, other.requests]).toEqual([0, []]);
    expect(asked().some((query) => 'apitoken' in query || 'Organization' in query)).toBe(false);
    await other.stop();
  });

  it('is asked for in one order from its first page on, and never passed over without', async () => {
    // As services in the field do it: a $skip without an order is their fault, with status 500.
    service.answer = (response, { url }) => {
      const query = queryOf(url);
      const status = '$skip' in query && !('$orderby' in query) ? 500 : 200;
      const order = query['$orderby'] === 'id' ? all.toSorted((a, b) => (a['id']! < b['id']! ? -1 : 1)) : all;
      const body = { items: cut(order.toReversed(), query), count: 250 };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    expect(await find('account 249')).toEqual([wanted]);
    expect(await find('account 0')).toEqual([all[0]!['id']]);
    expect(asked().every((query) => query['$orderby'] === 'id')).toBe(true);
  });

  it.each([
    ['a page', 90, ['account 3']],
    ['more than a page', 250, []],
  ])('of %s is read as far as it can be where the service takes no order', async (_what, count, names) => {
    const some = accounts(count);
    lists((query) => ('$orderby' in query ? undefined : { items: cut(some, query), count }));
    const reading = find('account 3');
    if (names.length === 0) await expect(reading).rejects.toThrow('takes no order');
    else expect(await reading).toEqual([some[3]!['id']]);
    expect(asked().some((query) => '$skip' in query)).toBe(false);
  });

  it('is asked for what is wanted, quoted, and looked through all the same', async () => {
    const [mine, alike] = [newId(), newId()];
    lists(() => [
      { id: mine, name: "L'or" },
      { id: alike, name: "L'OR" },
    ]);
    expect(await find("L'or")).toEqual([mine]);
    expect(asked()[0]).toMatchObject({ $filter: "name eq 'L''or'" });
  });

  it('is read whole where the service does not take the filter', async () => {
    lists((query) => ('$filter' in query ? undefined : { items: cut(all, query), count: 250 }));
    expect(await find('account 249')).toEqual([wanted]);
    expect(asked().filter((query) => '$filter' in query)).toHaveLength(1);
  });

  it.each([401, 403, 404, 422, 500, 503])('is unreadable where the service answers %i', async (status) => {
    service.replies(status, '{"error":"because"}');
    await expect(find('account 249')).rejects.toThrow('the finance service');
    expect(service.requests).toHaveLength(1);
  });

  it.each([
    ['no list', { records: [] }],
    ['a record without its identifier', { items: [{ name: 'account 249' }] }],
    ['an identifier that is none', { items: [{ id: '249', name: 'account 249' }] }],
    ['a record that is none', { items: ['account 249'] }],
  ])('is unreadable with %s', async (_what, body) => {
    lists(() => body);
    await expect(find('account 249')).rejects.toMatchObject({ name: 'Unreadable' });
  });
});

describe('identifiers with capital letters', () => {
  const id = newId();
  const UPPER = id.toUpperCase();

  it('are those without', async () => {
    lists(() => [{ id: UPPER, name: 'main' }]);
    expect(await find('main')).toEqual([id]);
  });

  it('are found in a list of balances, exact to the digit', async () => {
    service.replies(200, `{"items":[{"accountId":"${UPPER}","balance":999999999999.99}]}`);
    expect(await reads.balance(connection(), id)).toBe('999999999999.99');
  });

  it('name the same schedule on every page', async () => {
    lists(({ $skip }) => ($skip ? [schedule({ scheduleId: UPPER })] : [schedule({ scheduleId: id })]));
    expect(await schedulesOf()).toMatchObject([{ id }]);
  });
});

function schedule(changes: Item = {}): Item {
  const amounts = { value: 100, openValue: 60.5 };
  return { scheduleId: newId(), type: 'Credit', ...amounts, dueDate: '2026-04-10T00:00:00', ...changes };
}

const schedulesOf = (options = {}) => reads.schedules(connection(), ORGANIZATION, newId(), options);

describe('schedules', () => {
  it('are receivables, with what is open and the day in the time zone of the organization', async () => {
    const id = newId();
    const dueDate = '2026-04-11T02:00:00Z';
    const all = [schedule({ scheduleId: id, dueDate }), schedule({ type: 'Debit', value: null })];
    lists(() => all);
    const [found, ...others] = await schedulesOf();
    expect(found).toMatchObject({ id, reference: undefined, openMinor: 60_50n });
    expect([found?.value.toString(), found?.dueDate.toString(), others]).toEqual([
      '100.00',
      '2026-04-10',
      [],
    ]);
  });

  it.each([{ value: null }, { openValue: '?' }, { dueDate: 'soon' }, { value: 0.001 }])(
    'with %j leave the whole list unread: what is not understood must not look absent',
    async (changes) => {
      const all = [schedule(), schedule(changes)];
      lists(() => all);
      await expect(schedulesOf()).rejects.toThrow('no value, open value or due date');
    },
  );

  it('are read no further than is enough', async () => {
    const all = Array.from({ length: 300 }, () => schedule());
    lists((query) => cut(all, query));
    const read = await schedulesOf({ enough: (found: readonly unknown[]) => found.length >= 150 });
    expect([read.length, service.requests.length]).toEqual([200, 2]);
  });
});

describe('in XML', () => {
  const xml = { 'content-type': 'application/xml' };
  const asXml = () => wireConnection(service.url(), { form: 'xml' });
  const id = newId();

  it('schedules are what they are in JSON', async () => {
    const amounts = '<value>100.10</value><openValue>60.05</openValue>';
    const text = `<dueDate>2026-04-10T00:00:00</dueDate><reference>a &amp; b</reference><type>Credit</type>`;
    const item = `<ScheduleFullView><scheduleId>${id.toUpperCase()}</scheduleId>${amounts}${text}</ScheduleFullView>`;
    service.replies(200, `<ArrayOfScheduleFullView>${item}</ArrayOfScheduleFullView>`, xml);
    const [found, ...others] = await reads.schedules(asXml(), ORGANIZATION, newId());
    expect([found?.value.toString(), found?.openMinor, others]).toEqual(['100.10', 60_05n, []]);
    expect([found?.id, found?.reference, found?.dueDate.toString()]).toEqual([id, 'a & b', '2026-04-10']);
  });

  it('no schedules are none', async () => {
    service.replies(200, '<ArrayOfScheduleFullView/>', xml);
    expect(await reads.schedules(asXml(), ORGANIZATION, newId())).toEqual([]);
  });

  it('accounts are found on a page', async () => {
    const item = `<AccountListing><id>${id}</id><name>007</name><openBalance>1.5</openBalance></AccountListing>`;
    service.replies(200, `<Page><items>${item}</items><count>1</count></Page>`, xml);
    const [found] = await reads.accounts(asXml(), ORGANIZATION, '007');
    expect([found?.id, found?.openBalance?.toString(), found?.openedOn]).toEqual([id, '1.50', undefined]);
  });
});

describe('records that rules name', () => {
  it('are cost centers that are not deleted', async () => {
    const costCenterId = newId();
    const body = {
      items: [
        { costCenterId, externalCode: 'shop' },
        { costCenterId: newId(), externalCode: 'shop', isDeleted: true },
        { costCenterId: newId(), externalCode: 'SHOP' },
      ],
    };
    lists(() => body);
    expect(await reads.costCenters(connection(), 'shop')).toEqual([costCenterId]);
  });

  it('are customers by their document, however it is written', async () => {
    const [plain, dotted] = [newId(), newId()];
    const body = {
      items: [
        { id: plain, document: '12345678909' },
        { id: dotted, document: { number: '123.456.789-09' } },
        { id: newId(), document: { number: '98765432100' } },
        { id: newId(), document: null },
      ],
    };
    lists(() => body);
    const found = await reads.customersByDocument(connection(), '/customers', '12345678909');
    expect(found).toEqual([plain, dotted]);
  });
});
