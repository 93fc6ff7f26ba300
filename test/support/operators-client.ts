import type { Response } from 'supertest';
import { newId } from '../../src/kernel/identifier';
import { OPERATORS_KEY, type TestService } from './service';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A client of the operators' API below one organization of its own, without rules. */
export class OperatorsClient {
  private constructor(
    readonly service: TestService,
    readonly slug: string,
    readonly id: string,
  ) {}

  static async of(service: TestService, chart?: string): Promise<OperatorsClient> {
    const slug = `org-${newId()}`;
    const reply = await send(service, 'post', '', {
      slug,
      name: 'An organization',
      rules: 'none',
      ...(chart && { chart }),
    });
    expect(reply.status).toBe(201);
    return new OperatorsClient(service, slug, (reply.body as { id: string }).id);
  }

  /** Sends below `/admin/organizations/{slug}`. */
  send(method: Method, path: string, body?: object, key = OPERATORS_KEY): Promise<Response> {
    return send(this.service, method, `/${this.slug}${path}`, body, key);
  }

  /** Makes a record. @returns its identifier */
  async make(path: string, body: object): Promise<string> {
    const reply = await this.send('post', path, body);
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    return (reply.body as { id: string }).id;
  }

  async items(path: string): Promise<Record<string, unknown>[]> {
    const reply = await this.send('get', path);
    expect(reply.status).toBe(200);
    return (reply.body as { items: Record<string, unknown>[] }).items;
  }

  /** The newest audit record, less what differs every time. */
  async lastAudit(): Promise<Record<string, unknown>> {
    const [{ id: _id, at: _at, actor: _actor, ...last } = {}] = await this.items('/audit?limit=1');
    return last;
  }

  /** Sends below `/v1` with a key of the organization, made on the spot. */
  async finance(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object): Promise<Response> {
    const made = await this.send('post', '/keys', {
      name: 'till',
      scopes: ['finance:read', 'finance:write'],
    });
    const request = this.service.http[method](`/v1${path}`).set(
      'apitoken',
      (made.body as { key: string }).key,
    );
    return body ? request.send(body) : request;
  }
}

/** Sends below `/admin/organizations`. */
export async function send(
  service: TestService,
  method: Method,
  path: string,
  body?: object,
  key = OPERATORS_KEY,
): Promise<Response> {
  const request = service.http[method](`/admin/organizations${path}`).set('authorization', `Bearer ${key}`);
  return body ? request.send(body) : request;
}
