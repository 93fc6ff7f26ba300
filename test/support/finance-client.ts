import type { Response } from 'supertest';
import { FinanceModule } from '../../src/finance/finance.module';
import { Company } from './company';
import { checkReplies } from './described-replies';
import { LOOP, openLooped } from './looped';
import { TestingApp, type TestingAppOptions } from './testing-app';

const UUID = /^"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$/;

/** What a paged listing answers with. */
export interface PageOf<T> {
  items: T[];
  nextPageLink: string | null;
  count: number;
}

/** A client of `/v1` that sends literal JSON, for a company of its own. */
export class FinanceClient {
  constructor(
    readonly testing: TestingApp,
    readonly company: Company,
    /** Reads and writes. */
    readonly key: string,
  ) {}

  /**
   * The application that clients talk to; a reply that does not fit its own description fails the test.
   * @param loop through a second Ponte, in this form
   */
  static serve(options: TestingAppOptions = {}, loop = LOOP): Promise<TestingApp> {
    const whole: TestingAppOptions = {
      ...options,
      imports: [FinanceModule, ...(options.imports ?? [])],
      prepare: (app) => {
        checkReplies(app);
        options.prepare?.(app);
      },
    };
    return loop ? openLooped(whole, loop) : TestingApp.open(whole);
  }

  static async of(testing: TestingApp): Promise<FinanceClient> {
    const company = await Company.found(testing.database);
    const { key } = await testing.makeKey(company.organization, 'finance:read', 'finance:write');
    return new FinanceClient(testing, company, key);
  }

  /** Sends literal JSON text below `/v1`. */
  async send(method: 'post' | 'put', path: string, json: string): Promise<Response> {
    return this.testing.http[method](`/v1${path}`)
      .set('apitoken', this.key)
      .set('content-type', 'application/json')
      .send(json);
  }

  /** Sends literal XML below `/v1`; the reply comes as `accept` says. */
  async sendXml(
    method: 'post' | 'put' | 'delete',
    path: string,
    xml: string | Buffer,
    { type = 'application/xml', accept = 'application/xml' } = {},
  ): Promise<Response> {
    return this.testing.http[method](`/v1${path}`)
      .set('apitoken', this.key)
      .set('content-type', type)
      .set('accept', accept)
      .buffer(true)
      .parse(asText)
      .send(xml);
  }

  async get(path: string): Promise<Response> {
    return this.testing.http.get(`/v1${path}`).set('apitoken', this.key);
  }

  /** The page that a `nextPageLink` leads to, asked for as it stands. */
  async follow<T>(link: string): Promise<PageOf<T>> {
    const reply = await fetch(link, { headers: { apitoken: this.key } });
    expect(reply.status).toBe(200);
    return (await reply.json()) as PageOf<T>;
  }

  /** The reply's text in the form that `accept` asks for. */
  async getAs(accept: string, path: string): Promise<Response> {
    return this.testing.http
      .get(`/v1${path}`)
      .set('apitoken', this.key)
      .set('accept', accept)
      .buffer(true)
      .parse(asText);
  }

  /** The UUID of a record of the company's chart. */
  async idByCode(model: 'category' | 'costCenter' | 'account', code: string): Promise<string> {
    const { prisma } = this.testing.database;
    const organizationId = this.company.organization.id;
    const found =
      model === 'category'
        ? await prisma.category.findFirstOrThrow({ where: { organizationId, referenceCode: code } })
        : model === 'costCenter'
          ? await prisma.costCenter.findFirstOrThrow({ where: { organizationId, externalCode: code } })
          : await prisma.account.findFirstOrThrow({ where: { organizationId, code } });
    return found.id;
  }
}

/** Keeps a reply's text whatever its media type. */
export function asText(reply: Response, done: (error: Error | null, body: string) => void): void {
  let text = '';
  const stream = reply as unknown as NodeJS.ReadableStream;
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => (text += chunk));
  stream.on('end', () => {
    reply.text = text;
    done(null, text);
  });
}

/** The identifier that a creation answered with in XML. */
export function idOfXml(reply: Response): string {
  const [, id] =
    /^<\?xml version="1\.0" encoding="utf-8"\?>\n<guid>([0-9a-f-]{36})<\/guid>$/.exec(reply.text) ?? [];
  expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([
    200,
    'application/xml; charset=utf-8',
    expect.stringContaining(`<guid>${id}</guid>`),
  ]);
  return id!;
}

/** A problem in XML, less what differs every time. */
export function xmlProblemOf(reply: Response): string {
  expect(reply.headers['content-type']).toBe('application/problem+xml; charset=utf-8');
  expect(reply.headers['vary']).toBe('Accept');
  const instance = /<instance>urn:uuid:[0-9a-f-]{36}<\/instance>/;
  expect(reply.text).toMatch(instance);
  return reply.text.replace(instance, '').replace('<?xml version="1.0" encoding="utf-8"?>\n', '');
}

/** Status, code and pointers of a refusal in XML: `422 validation-failed /value`. */
export function xmlRefusalOf(reply: Response): string {
  const problem = xmlProblemOf(reply);
  const code = /<error>(.*?)<\/error>/.exec(problem)?.[1];
  const pointers = [...problem.matchAll(/<pointer(?:\/>|>(.*?)<\/pointer>)/g)].map(
    ([, pointer = '']) => pointer,
  );
  expect(problem).toContain(`<status>${reply.status}</status>`);
  return [reply.status, code, ...pointers].join(' ');
}

/** The identifier that a creation answered with, as a bare JSON string. */
export function idOf(reply: Response): string {
  expect(reply.text).toMatch(UUID);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  return JSON.parse(reply.text) as string;
}

export function expectDone(reply: Response): void {
  expect(reply.text).toBe('');
  expect(reply.status).toBe(204);
}

/** The problem document, less what differs every time. */
export function problemOf(reply: Response): Record<string, unknown> {
  if (!/^application\/problem\+json(;|$)/.test(reply.headers['content-type'] ?? ''))
    throw new Error(`${reply.status} is no problem document: ${reply.text}`);
  const { instance, ...problem } = reply.body as Record<string, unknown>;
  expect(instance).toMatch(/^urn:uuid:/);
  expect(problem['status']).toBe(reply.status);
  return problem;
}

/** Status, code and pointers of a refusal: `422 validation-failed /value`. */
export function refusalOf(reply: Response): string {
  const { status, error, errors } = problemOf(reply) as {
    status: number;
    error: string;
    errors?: { pointer: string }[];
  };
  return [status, error, ...(errors ?? []).map(({ pointer }) => pointer)].join(' ');
}
