import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get } from '@nestjs/common';
import type { Response } from 'supertest';
import { TestingApp } from '../../test/support/testing-app';
import { Settings } from '../config/settings';
import { KeyedApi, OperatorsApi, RequireScope } from './api';
import { RequestRates } from './request-rate.guard';

const rates = (limit: number) =>
  new RequestRates(new Settings({ FINANCE_RATE_LIMIT: String(limit) })).requests;

describe('RequestRates', () => {
  it('grant a minute’s worth at once, and then one for each share of a minute', () => {
    const three = rates(3);
    expect([1, 2, 3].map(() => three.take('a', 0))).toEqual([0, 0, 0]);
    expect(three.take('a', 0)).toBeCloseTo(20);
    expect(three.take('a', 15_000)).toBeCloseTo(5);
    expect(three.take('a', 20_001)).toBe(0);
    expect(three.take('a', 20_001)).toBeCloseTo(20);
  });

  it('never save up more than a minute’s worth', () => {
    const two = rates(2);
    two.take('a', 0);
    expect([1, 2].map(() => two.take('a', 3_600_000))).toEqual([0, 0]);
    expect(two.take('a', 3_600_000)).toBeGreaterThan(0);
  });

  it('count each key by itself, and forget those that are idle', () => {
    const one = rates(1);
    for (let key = 0; key < 500; key++) expect(one.take(`key-${key}`, key * 60_000)).toBe(0);
    expect(one.take('key-499', 499 * 60_000)).toBeGreaterThan(0);
  });

  it('grant everything when they are off', () => {
    const off = rates(0);
    for (let i = 0; i < 1000; i++) expect(off.take('a', 0)).toBe(0);
  });
});

/** Delays requests until a test releases them. */
class Held {
  private static readonly waiting: (() => void)[] = [];
  private static arrived: () => void = () => undefined;

  static wait(): Promise<void> {
    const held = new Promise<void>((resolve) => this.waiting.push(resolve));
    this.arrived();
    return held;
  }

  /** Resolves when the next request is being worked on. */
  static next(): Promise<void> {
    return new Promise((resolve) => (this.arrived = resolve));
  }

  static letGo(): void {
    this.waiting.splice(0).forEach((resolve) => resolve());
  }
}

@KeyedApi('Books')
@RequireScope('finance:read')
@Controller('v1/books')
class BooksController {
  @Get()
  all(): object {
    return {};
  }

  @Get('held')
  async held(): Promise<object> {
    await Held.wait();
    return {};
  }

  @Get('broken')
  broken(): never {
    throw new Error('broken');
  }
}

@OperatorsApi('Shelves')
@Controller('admin/shelves')
class ShelvesController {
  @Get()
  all(): object {
    return {};
  }
}

const open = (env: Record<string, string>) =>
  TestingApp.open({ controllers: [BooksController, ShelvesController], env });

function codeOf(reply: Response): unknown {
  return (reply.body as { error?: unknown }).error ?? reply.status;
}

describe('a key that sends too many requests', () => {
  let testing: TestingApp;
  beforeAll(async () => (testing = await open({ FINANCE_RATE_LIMIT: '2' })));
  afterAll(() => testing.close());

  it('is answered when to come back, while others are served', async () => {
    const organization = await testing.makeOrganization();
    const [busy, other] = [
      await testing.makeKey(organization, 'finance:read'),
      await testing.makeKey(organization, 'finance:read'),
    ];
    const read = async (key: string) => testing.http.get('/v1/books').set('apitoken', key);
    expect([await read(busy.key), await read(busy.key)].map(codeOf)).toEqual([200, 200]);
    const reply = await read(busy.key);
    expect([reply.status, codeOf(reply)]).toEqual([429, 'too-many-requests']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect(reply.text).not.toContain(busy.key);
    expect(codeOf(await read(other.key))).toBe(200);
  });
});

describe('a process that works on as many requests as it may', () => {
  let testing: TestingApp;
  let key: string;
  let admin: string;
  beforeAll(async () => {
    testing = await open({ MAX_REQUESTS_IN_FLIGHT: '1' });
    const organization = await testing.makeOrganization();
    key = (await testing.makeKey(organization, 'finance:read')).key;
    admin = (await testing.makeKey(organization, 'admin')).key;
  });
  afterAll(() => testing.close());

  const read = async (path = '') => testing.http.get(`/v1/books${path}`).set('apitoken', key);

  it('refuses more on all APIs at once, until it is done', async () => {
    const arrived = Held.next();
    const held = read('/held');
    await arrived;
    for (const reply of [await read(), await testing.http.get('/admin/shelves').set('apitoken', admin)]) {
      expect([reply.status, codeOf(reply)]).toEqual([503, 'saturated']);
      expect(reply.headers['retry-after']).toBe('1');
    }
    Held.letGo();
    expect((await held).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  it('counts a request that fails, or has no form to be answered in, no longer', async () => {
    for (let i = 0; i < 3; i++) expect((await read('/broken')).status).toBe(500);
    for (let i = 0; i < 3; i++)
      expect((await testing.http.get('/v1/books').set({ apitoken: key, accept: 'image/png' })).status).toBe(
        406,
      );
    expect((await read()).status).toBe(200);
  });

  it('counts a request whose client went away until its work is over', async () => {
    const arrived = Held.next();
    const { port } = testing.app.getHttpServer().address() as AddressInfo;
    const gone = httpRequest({ port, path: '/v1/books/held', headers: { apitoken: key } });
    const closed = new Promise((resolve) => gone.on('error', resolve));
    gone.end();
    await arrived;
    gone.destroy();
    await closed;
    expect((await read()).status).toBe(503);
    Held.letGo();
    expect((await read()).status).toBe(200);
  });
});
