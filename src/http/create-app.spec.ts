import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { Controller, Delete, Get, HttpCode, Module, Param, Post, Put, UseInterceptors } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsOptional } from 'class-validator';
import request, { type Response } from 'supertest';
import { Problem, PROBLEMS, type ProblemCode } from '../kernel/problem';
import { createApp } from './create-app';
import { JsonBody } from './json-body';
import { BODY_LIMIT } from './body-reception';
import { ReplyFormInterceptor } from './reply-form.interceptor';
import { IsInteger32, IsText } from './validation';

class ThingBody {
  @IsText({ max: 10 })
  name!: string;

  @IsOptional()
  @IsInteger32()
  size?: number | null;
}

let created = 0;

@Controller('things')
@UseInterceptors(ReplyFormInterceptor)
class ThingsController {
  @Post()
  @HttpCode(200)
  create(@JsonBody(ThingBody) { name }: ThingBody): string {
    created += 1;
    return `a "${name}"`;
  }

  @Put(':id')
  @HttpCode(204)
  replace(@Param('id') _id: string, @JsonBody(ThingBody) _body: ThingBody): void {}

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id') _id: string, @JsonBody(ThingBody) _body?: ThingBody): void {}

  @Get('big')
  big(): { count: bigint } {
    return { count: 12_345_678_901_234_567_890n };
  }

  @Get('broken')
  broken(): never {
    throw new Error('the pass phrase is swordfish');
  }

  @Get('problems/:code')
  problem(@Param('code') code: ProblemCode): never {
    // By another name than the compiler would let pass.
    const members: Record<string, unknown> = { openValue: 12.5, status: 299 };
    throw new Problem(code, 'Because of the test', {
      members,
      ...(code === 'too-many-requests' && { retryAfterSeconds: 6.2 }),
    });
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

let app: NestFastifyApplication;

beforeAll(async () => {
  app = await createApp(ThingsModule);
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

const http = (): ReturnType<typeof request> => request(app.getHttpServer());
/** Sends the body as it is: strings too, whatever the type says. */
const post = (body: string | Buffer, type = 'application/json'): request.Test =>
  http()
    .post('/things')
    .set('content-type', type)
    .serialize((sent: unknown) => sent as string)
    .send(body as string);

function expectProblem(reply: Response, code: ProblemCode): void {
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(reply.status).toBe(PROBLEMS[code].status);
  const document = JSON.parse(reply.text) as Record<string, unknown>;
  expect(document).toMatchObject({
    type: `urn:ponte:problem:${code}`,
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    instance: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    error: code,
  });
  expect(document['error_description']).toBe(document['detail']);
  expect(reply.text).not.toMatch(/\bat .*:\d+:\d+|node_modules|Error:/);
}

describe('replies', () => {
  it('sends bare text as a JSON string', async () => {
    const reply = await post('{"name":"x"}');
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.text).toBe('"a \\"x\\""');
  });

  it('sends whole numbers beyond a double with all their digits', async () => {
    expect((await http().get('/things/big')).text).toBe('{"count":12345678901234567890}');
  });

  it('sends 204 without a body', async () => {
    const reply = await http().put('/things/1').send({ name: 'x' });
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([204, '', undefined]);
  });

  it.each(['application/xml', 'text/*', 'application/json;q=0', '*/*;q=0', 'application/json;q=0, */*'])(
    'refuses, before anything is done, a client that takes only %s',
    async (accept) => {
      const before = created;
      expectProblem(await post('{"name":"x"}').set('accept', accept), 'not-acceptable');
      expect(created).toBe(before);
    },
  );

  it.each(['*/*', 'application/*', 'text/html, application/xhtml+xml, */*;q=0.8', 'application/JSON; q=0.1'])(
    'serves a client that takes %s',
    async (accept) => {
      expect((await post('{"name":"x"}').set('accept', accept)).status).toBe(200);
    },
  );
});

describe('bodies', () => {
  it('names ignored fields in a header that no name can break', async () => {
    const reply = await post('{"name":"x","extra":1,"a\\r\\nSet-Cookie: b":1,"\\ud800":1}');
    expect(reply.status).toBe(200);
    expect(reply.headers['x-ignored-fields']).toBe('extra, +2');
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  it.each(['ana@example.com', 'Ana Reis', '111.444.777-35', '11144477735', 'cpf11144477735', 'ana.reis'])(
    'counts an ignored field whose name may be personal: %s',
    async (name) => {
      const reply = await post(JSON.stringify({ name: 'x', [name]: 1 }));
      expect(reply.headers['x-ignored-fields']).toBe('+1');
    },
  );

  it('cuts a long list of ignored fields', async () => {
    const fields = Array.from({ length: 5000 }, (_, index) => `"field${index}":1`);
    const reply = await post(`{"name":"x",${fields.join()}}`);
    expect(reply.status).toBe(200);
    expect(reply.headers['x-ignored-fields']).toMatch(/^field0, field1, .*, \+\d+$/);
  });

  it('lists all bad fields of a body that is not acceptable', async () => {
    const reply = await post('{"name":"much too long","size":1.5}');
    expectProblem(reply, 'validation-failed');
    expect((reply.body as { errors: unknown }).errors).toEqual([
      { pointer: '/name', code: 'text', message: 'must have at most 10 characters' },
      { pointer: '/size', code: 'integer', message: expect.stringContaining('whole number') },
    ]);
  });

  it.each([
    ['{"name":', 'at character 8'],
    ['{"name":"x"}}', 'at character 12'],
    ['{"a":'.repeat(20_000), 'deeper than 64'],
    [Buffer.from([0x22, 0xff, 0x22]), 'not valid UTF-8'],
    ['', 'empty'],
  ])('says where a body is broken: %s', async (body, where) => {
    const reply = await post(body);
    expectProblem(reply, 'malformed-request');
    expect((reply.body as { detail: string }).detail).toContain(where);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json-seq',
    'nonsense',
  ])('refuses a body of type %s', async (type) => {
    expectProblem(await post('{"name":"x"}', type), 'media-type-unsupported');
  });

  it.each(['gzip', 'br', 'gzip, identity'])(
    'refuses a body with the encoding %s, and says so',
    async (encoding) => {
      const reply = await post(gzipSync('{"name":"x"}')).set('content-encoding', encoding);
      expectProblem(reply, 'media-type-unsupported');
      expect((reply.body as { detail: string }).detail).toContain('Content-Encoding');
    },
  );

  it('reads a body that says that it is not encoded', async () => {
    const reply = await post('{"name":"x"}').set('content-encoding', 'Identity');
    expect(reply.status).toBe(200);
  });

  it('refuses a body without a type', async () => {
    expectProblem(await raw('POST /things HTTP/1.1', '{"name":"x"}'), 'media-type-unsupported');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'reads %s',
    async (type) => expect((await post('{"name":"x"}', type)).status).toBe(200),
  );

  it('takes a body of exactly the limit and refuses one byte more', async () => {
    const start = '{"name":"x","pad":"';
    const largest = `${start}${'x'.repeat(BODY_LIMIT - start.length - 2)}"}`;
    expect((await post(largest)).status).toBe(200);
    expectProblem(await post(`${largest} `), 'body-too-large');
  });

  it('takes DELETE with an empty body of type JSON, and still checks one that is there', async () => {
    const empty = await http().delete('/things/1').set('content-type', 'application/json');
    expect(empty.status).toBe(204);
    expectProblem(await http().delete('/things/1').send({ name: 1 }), 'validation-failed');
  });
});

describe('problems', () => {
  it.each(Object.keys(PROBLEMS) as ProblemCode[])('renders %s', async (code) => {
    const reply = await http().get(`/things/problems/${code}`);
    expectProblem(reply, code);
    expect(reply.body).toMatchObject({ detail: 'Because of the test', openValue: 12.5 });
    const { status } = PROBLEMS[code];
    expect('www-authenticate' in reply.headers).toBe(status === 401);
    expect('retry-after' in reply.headers).toBe(status === 429 || status === 503);
  });

  it('says in whole seconds when to try again', async () => {
    const reply = await http().get('/things/problems/too-many-requests');
    expect(reply.headers['retry-after']).toBe('7');
  });

  it('gives every occurrence an identifier of its own', async () => {
    const [one, two] = await Promise.all([http().get('/nowhere'), http().get('/nowhere')]);
    expect((one.body as { instance: string }).instance).not.toBe((two.body as { instance: string }).instance);
  });

  it('says nothing of an unexpected failure', async () => {
    const reply = await http().get('/things/broken');
    expectProblem(reply, 'internal-error');
    expect(reply.text).not.toContain('swordfish');
  });

  it.each(['/', '/things/1/2', '/thing', '/things/problems/'])('knows no path %s', async (path) => {
    const reply = await http().get(path);
    expectProblem(reply, 'not-found');
    expect(reply.headers['allow']).toBeUndefined();
  });

  it.each([
    ['get', '/things?apitoken=x', 'POST'],
    ['patch', '/things/1', 'DELETE, PUT'],
    ['post', '/things/big', 'DELETE, GET, HEAD, PUT'],
    ['options', '/things', 'POST'],
  ] as const)('answers %s %s with what the path takes: %s', async (method, path, allow) => {
    const reply = await http()[method](path).send({ name: 'x' });
    expectProblem(reply, 'method-not-allowed');
    expect(reply.headers['allow']).toBe(allow);
  });

  it.each([
    ['GET /things/%zz HTTP/1.1', 400],
    ['GET /things HTTP/1.1\r\nno header', 400],
    ['nonsense', 400],
    [`GET /things HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, 431],
  ])('answers a request that is not HTTP with a problem: %.30s', async (head, status) => {
    const reply = await raw(head);
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(reply.body).toMatchObject({ type: 'urn:ponte:problem:malformed-request', status });
  });
});

/** Sends bytes no client library would send, and reads the one reply. */
async function raw(head: string, body = ''): Promise<Response> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => undefined);
  socket.write(`${head}\r\nHost: test\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await closed;
  const [top = '', text = ''] = received.split('\r\n\r\n', 2);
  const [status = '', ...lines] = top.split('\r\n');
  const headers = lines
    .map((line) => line.split(': ', 2))
    .map(([name = '', value]) => [name.toLowerCase(), value]);
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    text,
    body: JSON.parse(text) as unknown,
  } as Response;
}
