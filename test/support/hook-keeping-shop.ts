import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ProviderApiServer } from './provider-api-server';

/** A webhook as the WooCommerce shop has it. */
export interface KeptHook {
  id: number;
  topic: string;
  delivery_url: string;
  status: string;
  /** Given, and never shown. */
  secret?: string;
}

/**
 * What becomes of a request that changes something. `made-then-dropped`: it takes effect and the connection ends; `dropped`: the
 * connection ends before it does; `silent`: no answer ever comes; a number: the status, without effect.
 */
export type Fate = 'dropped' | 'silent' | 'made-then-dropped' | 'made-then-silent' | 'made-then-500' | number;

/** A WooCommerce shop whose REST API keeps webhooks, and behaves badly where a test says so. */
export class HookKeepingShop {
  static readonly CREDENTIALS = { consumerKey: 'ck_of_the_tests', consumerSecret: 'cs_of_the_tests' };
  readonly hooks: KeptHook[] = [];
  /** Status of every list from now on; absent: they are answered. */
  listStatus: number | undefined;
  private readonly fates: Fate[] = [];
  private api!: ProviderApiServer;
  private lastId = 100;

  static async start(): Promise<HookKeepingShop> {
    const shop = new HookKeepingShop();
    shop.api = await ProviderApiServer.start((request, response) => void shop.handle(request, response));
    return shop;
  }

  get url(): string {
    return this.api.url;
  }

  /** Requests so far that wanted to change something. */
  get changes(): string[] {
    return this.api.asked.filter((line) => !line.startsWith('GET '));
  }

  get lists(): number {
    return this.api.asked.filter((line) => line.startsWith('GET ')).length;
  }

  /** What becomes of the next changes, one after another; those behind them are made as usual. */
  let(...fates: Fate[]): void {
    this.fates.push(...fates);
  }

  add(topic: string, address: string, status = 'active'): KeptHook {
    this.lastId += 1;
    const hook = { id: this.lastId, topic, delivery_url: address, status };
    this.hooks.push(hook);
    return hook;
  }

  forget(): void {
    this.hooks.length = 0;
    this.fates.length = 0;
    this.api.asked.length = 0;
    this.listStatus = undefined;
  }

  stop(): Promise<void> {
    return this.api.stop();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { consumerKey, consumerSecret } = HookKeepingShop.CREDENTIALS;
    const key = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
    if (request.headers.authorization !== key) return reply(response, 401, {});
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    if (request.method === 'GET') return this.list(response, searchParams);
    const fate = this.fates.shift();
    if (typeof fate === 'number') return reply(response, fate, { message: 'a word of the shop' });
    if (fate === 'dropped') return void response.destroy();
    if (fate === 'silent') return;
    const hook = this.change(pathname, JSON.parse(body) as Partial<KeptHook>);
    if (fate === 'made-then-dropped') return void response.destroy();
    if (fate === 'made-then-500') return reply(response, 500, {});
    if (fate === undefined) reply(response, hook ? 201 : 404, { ...hook, secret: undefined });
  }

  private list(response: ServerResponse, query: URLSearchParams): void {
    if (this.listStatus !== undefined) return reply(response, this.listStatus, {});
    const size = Number(query.get('per_page'));
    const from = (Number(query.get('page')) - 1) * size;
    const page = this.hooks.slice(from, from + size).map((hook) => ({ ...hook, secret: undefined }));
    reply(response, 200, page);
  }

  private change(path: string, given: Partial<KeptHook>): KeptHook | undefined {
    const [, id] = /\/webhooks\/(\d+)$/.exec(path) ?? [];
    const hook =
      id === undefined
        ? this.add(given.topic ?? '', given.delivery_url ?? '')
        : this.hooks.find((each) => each.id === Number(id));
    return hook && Object.assign(hook, given);
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
