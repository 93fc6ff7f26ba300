import type { Response } from 'supertest';
import { FinanceModule } from '../../src/finance/finance.module';
import { Company } from './company';
import { TestingApp } from './testing-app';

const UUID = /^"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$/;

/** A client of `/v1` that sends literal JSON, for a company of its own. */
export class FinanceClient {
  private constructor(
    readonly testing: TestingApp,
    readonly company: Company,
    /** Reads and writes. */
    readonly key: string,
  ) {}

  /** The application that clients talk to. */
  static serve(): Promise<TestingApp> {
    return TestingApp.open({ imports: [FinanceModule] });
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

  async get(path: string): Promise<Response> {
    return this.testing.http.get(`/v1${path}`).set('apitoken', this.key);
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
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json(;|$)/);
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
