import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import type { Response } from 'supertest';
import { Idempotent } from '../../../src/finance/api/idempotency/idempotent.decorator';
import { SERVED } from '../../../src/finance/api/operations/operations';
import { IdempotentTransaction } from '../../../src/finance/embedded/idempotency/idempotent-transaction';
import { OperatorsApi } from '../../../src/http/api';
import { CurrentOrganization } from '../../../src/http/caller';
import { newId } from '../../../src/kernel/identifier';
import type { Organization } from '../../../src/kernel/organization';
import { Books } from '../../support/books';
import {
  asText,
  expectDone,
  FinanceClient,
  idOf,
  idOfXml,
  problemOf,
  refusalOf,
  xmlRefusalOf,
} from '../../support/finance-client';
import type { TestingApp } from '../../support/testing-app';
import { WRITING_REQUESTS, type WritingId, type WritingRequest } from '../../support/writing-requests';

/** An operators' route that answers an object with 201, and routes that break the rules. */
@OperatorsApi('Test')
@Controller('admin/organizations/:org/test')
class OperatorsController {
  constructor(private readonly writes: IdempotentTransaction) {}

  @Post('banks/:code')
  @HttpCode(201)
  @Idempotent()
  makeBank(
    @CurrentOrganization() { id: organizationId }: Organization,
    @Param('code') code: string,
  ): Promise<{ id: string; code: string }> {
    return this.writes.transaction(async (tx) => {
      const { id } = await tx.bank.create({ data: { id: newId(), organizationId, code, name: 'A bank' } });
      return { id, code };
    });
  }

  @Post('nothing')
  @Idempotent()
  nothing(): void {}

  @Post('twice')
  @Idempotent()
  async twice(): Promise<void> {
    await this.writes.transaction(() => Promise.resolve());
    await this.writes.transaction(() => Promise.resolve());
  }

  @Post('date')
  @Idempotent()
  date(): Promise<{ at: Date }> {
    return this.writes.transaction(() => Promise.resolve({ at: new Date(0) }));
  }
}

let testing: TestingApp;
let client: FinanceClient;

beforeAll(async () => {
  testing = await FinanceClient.serve({ controllers: [OperatorsController] });
});
beforeEach(async () => {
  client = await FinanceClient.of(testing);
});
afterAll(() => client.company.verify());
afterAll(() => testing.close());

async function send(request: Omit<WritingRequest, 'count'>, key: string, by = client): Promise<Response> {
  const { method, path, json } = request;
  const sent = testing.http[method](`/v1${path}`).set('apitoken', by.key).set('idempotency-key', key);
  return json === undefined ? sent : sent.set('content-type', 'application/json').send(json);
}

const CUSTOMER = { method: 'post', path: '/customers', json: '{"name":"Lia Campos"}' } as const;

function customers(by = client): Promise<number> {
  const organizationId = by.company.organization.id;
  return testing.database.prisma.stakeholder.count({ where: { organizationId } });
}

function isReplay(reply: Response): boolean {
  return reply.headers['idempotency-replayed'] === 'true';
}

describe('the same request with the same key', () => {
  const writing = SERVED.filter((row) => row.effect !== 'read');

  it.each(writing.map(({ id }) => id))('takes effect once and is answered alike: %s', async (id) => {
    const prepare = WRITING_REQUESTS[id as WritingId];
    if (!prepare) throw new Error(`test/support/writing-requests.ts has no request of ${id}`);
    const request = await prepare(client);
    const first = await send(request, 'k-1');
    expect(first.status).toBeLessThan(300);
    expect(isReplay(first)).toBe(false);
    const count = await request.count();
    const second = await send(request, 'k-1');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(isReplay(second)).toBe(true);
    expect(await request.count()).toBe(count);
  });

  it('makes one record and gives one answer when fifty arrive at once', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => send(CUSTOMER, 'fifty')));
    expect(new Set(replies.map(idOf)).size).toBe(1);
    expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1);
    expect(await customers()).toBe(1);
  });

  it('moves money once when fifty arrive at once', async () => {
    const request = await WRITING_REQUESTS['receipts.registerForSchedule']!(client);
    const replies = await Promise.all(Array.from({ length: 50 }, () => send(request, 'fifty')));
    replies.forEach(expectDone);
    expect(await client.company.balance()).toBe(1_000n);
  });

  it('is answered as it was, whatever became of the record since', async () => {
    const id = await client.idByCode('costCenter', 'geral');
    const change = { method: 'put', path: `/costcenters/${id}`, json: '{"description":"A"}' } as const;
    expectDone(await send(change, 'change'));
    expectDone(await client.send('put', `/costcenters/${id}`, '{"description":"B"}'));
    expectDone(await send(change, 'change'));
    expect((await client.get('/costcenters')).body).toMatchObject({ items: [{ description: 'B' }] });
    await testing.database.prisma.costCenter.update({ where: { id }, data: { deletedAt: new Date() } });
    expectDone(await send(change, 'change'));
  });

  it('may come with the organization named or not, and the API key sent another way', async () => {
    const first = await send(CUSTOMER, 'k');
    const second = await testing.http
      .post(`/v1/customers?Organization=${client.company.organization.slug}`)
      .set('authorization', `Bearer ${client.key}`)
      .set('content-type', 'application/json')
      .set('Idempotency-Key', 'k')
      .send(CUSTOMER.json);
    expect([second.text, isReplay(second)]).toEqual([first.text, true]);
  });

  it('names the fields it ignored again', async () => {
    const request = { ...CUSTOMER, json: '{"name":"Lia","shoe":38}' };
    await send(request, 'k');
    expect((await send(request, 'k')).headers['x-ignored-fields']).toBe('shoe');
  });

  it('is not replayed to a client that takes no form there is', async () => {
    await send(CUSTOMER, 'k');
    const reply = await testing.http
      .post('/v1/customers')
      .set({ apitoken: client.key, 'idempotency-key': 'k', accept: 'image/png' })
      .send({ name: 'Lia Campos' });
    expect(refusalOf(reply)).toBe('406 not-acceptable');
  });
});

describe('the forms of a keyed request', () => {
  const XML = { method: 'post', path: '/customers', xml: '<c><name>Lia Campos</name></c>' } as const;

  async function sendXml(
    { method, path, xml }: { method: 'post' | 'put' | 'delete'; path: string; xml: string },
    accept = 'application/xml',
    type = 'application/xml',
  ): Promise<Response> {
    return testing.http[method](`/v1${path}`)
      .set({ apitoken: client.key, 'idempotency-key': 'k', accept, 'content-type': type })
      .buffer(true)
      .parse(asText)
      .send(xml);
  }

  it('are kept by a replay of XML in XML', async () => {
    const [first, second] = [await sendXml(XML), await sendXml(XML)];
    expect(idOfXml(second)).toBe(idOfXml(first));
    expect(second.text).toBe(first.text);
    expect([first, second].map(isReplay)).toEqual([false, true]);
    expect(await customers()).toBe(1);
  });

  it('are none where there is no content, in XML as in JSON', async () => {
    const scheduleId = await new Books(client.company).payable();
    const main = await client.idByCode('account', 'main');
    const paymentId = await new Books(client.company).pay(scheduleId, main, 30_000n);
    const remove = {
      method: 'delete',
      path: `/schedules/debit/${scheduleId}/payments/${paymentId}`,
      xml: `<d><paymentId>${paymentId}</paymentId></d>`,
    } as const;
    const replies = [await sendXml(remove), await sendXml(remove)];
    replies.forEach(expectDone);
    expect(replies.map(isReplay)).toEqual([false, true]);
    expect(await client.company.open([scheduleId])).toEqual([30_000n]);
  });

  it('may differ between the first reply and the replay: only the content is the same', async () => {
    const id = idOf(await send(CUSTOMER, 'k'));
    const replay = await sendXml({ ...XML, xml: CUSTOMER.json }, 'application/xml', 'application/json');
    expect([idOfXml(replay), isReplay(replay)]).toEqual([id, true]);
  });

  it('make another request of the same fields: JSON first, then XML', async () => {
    await send(CUSTOMER, 'k');
    expect(xmlRefusalOf(await sendXml(XML))).toBe('422 idempotency-key-reused');
    expect(await customers()).toBe(1);
  });

  it('make another request of the same fields: XML first, then JSON', async () => {
    await sendXml(XML);
    expect(refusalOf(await send(CUSTOMER, 'k'))).toBe('422 idempotency-key-reused');
    expect(await customers()).toBe(1);
  });

  it('make another request of the same bytes under another media type', async () => {
    await sendXml(XML);
    expect(xmlRefusalOf(await sendXml(XML, 'application/xml', 'text/xml'))).toBe(
      '422 idempotency-key-reused',
    );
    expect(await customers()).toBe(1);
  });
});

describe('another request with the same key', () => {
  it.each([
    ['another body', { ...CUSTOMER, json: '{"name":"Lia  Campos"}' }],
    ['another path', { ...CUSTOMER, path: '/customers/FormatType=json' }],
    ['another operation', { method: 'post', path: '/accounts', json: '{"name":"Lia Campos"}' }],
  ] as const)('is refused: %s', async (_name, other) => {
    await send(CUSTOMER, 'k');
    expect(problemOf(await send(other, 'k'))).toEqual({
      type: 'urn:ponte:problem:idempotency-key-reused',
      title: 'The Idempotency-Key belongs to another request',
      status: 422,
      detail: 'This Idempotency-Key was used for another request',
      error: 'idempotency-key-reused',
      error_description: 'This Idempotency-Key was used for another request',
    });
    expect(await customers()).toBe(1);
  });

  it('is nobody else’s business: another organization has keys of its own', async () => {
    const other = await FinanceClient.of(testing);
    const [mine, theirs] = [await send(CUSTOMER, 'k'), await send(CUSTOMER, 'k', other)];
    expect(idOf(theirs)).not.toBe(idOf(mine));
    expect(isReplay(theirs)).toBe(false);
    expect([await customers(), await customers(other)]).toEqual([1, 1]);
  });
});

describe('a request that took no effect', () => {
  it('leaves the key free when it is refused', async () => {
    expect(refusalOf(await send({ ...CUSTOMER, json: '{"name":1}' }, 'k'))).toBe(
      '422 validation-failed /name',
    );
    const receipt = await WRITING_REQUESTS['receipts.registerForSchedule']!(client);
    const tooMuch = { ...receipt, json: receipt.json!.replace('"value":10', '"value":10000') };
    expect((await send(tooMuch, 'k')).status).toBe(422);
    const right = await send(receipt, 'k');
    expectDone(right);
    expect(isReplay(right)).toBe(false);
  });

  it('leaves the key free when a record exists already', async () => {
    const json = '{"name":"Lia","document":{"number":"529.982.247-25"}}';
    idOf(await client.send('post', '/customers', json));
    expect(refusalOf(await send({ ...CUSTOMER, json }, 'k'))).toBe('409 customer-exists');
    idOf(await send(CUSTOMER, 'k'));
  });
});

describe('a key', () => {
  it.each([
    ['', 400],
    ['two words', 400],
    ['a,é', 400],
    ['x'.repeat(256), 400],
    ['x'.repeat(255), 200],
    ['!~', 200],
  ])('is 1 to 255 visible ASCII characters: %#', async (key, status) => {
    const reply = await send(CUSTOMER, Buffer.from(key, 'utf8').toString('latin1'));
    expect(reply.status).toBe(status);
    expect(await customers()).toBe(status === 200 ? 1 : 0);
  });

  it('means nothing to a request that reads', async () => {
    const list = () =>
      testing.http.get('/v1/costcenters').set({ apitoken: client.key, 'idempotency-key': 'not valid' });
    expect((await list()).status).toBe(200);
  });

  it('is not needed: without it every request takes effect', async () => {
    const [one, two] = [
      await client.send('post', CUSTOMER.path, CUSTOMER.json),
      await client.send('post', CUSTOMER.path, CUSTOMER.json),
    ];
    expect(idOf(one)).not.toBe(idOf(two));
    expect(one.headers).not.toHaveProperty('idempotency-replayed');
  });
});

describe('operators’ routes', () => {
  let operatorsKey: string;
  beforeEach(async () => {
    operatorsKey = (await testing.makeKey(client.company.organization, 'admin')).key;
  });

  async function operate(path: string, key = 'k'): Promise<Response> {
    return testing.http
      .post(`/admin/organizations/${client.company.organization.slug}/test/${path}`)
      .set({ authorization: `Bearer ${operatorsKey}`, 'idempotency-key': key });
  }

  it('take a key, too, and answer with the same record', async () => {
    const [first, second] = [await operate('banks/991'), await operate('banks/991')];
    expect([first.status, first.body]).toEqual([201, { id: expect.any(String), code: '991' }]);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect([first, second].map(isReplay)).toEqual([false, true]);
    expect(refusalOf(await operate('banks/992'))).toBe('422 idempotency-key-reused');
  });

  it.each([
    ['nothing', 'wrote without IdempotentTransaction.transaction'],
    ['twice', 'writes in one transaction'],
    ['date', 'must be text or plain JSON data'],
  ])('fail where a repetition could not be answered: %s', async (path, why) => {
    expect(refusalOf(await operate(path))).toBe('500 internal-error');
    expect(testing.log.join('\n')).toContain(why);
  });
});
