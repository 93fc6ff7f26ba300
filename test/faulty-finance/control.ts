import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultyFinance } from './faulty-finance';
import type { Lag } from './lag';
import type { ScriptedFault, Weather } from './weather';

/** What can be told to the service, and asked of it, from another process. */
export interface Control {
  /** Puts faults at the end of the script. */
  script(faults: readonly ScriptedFault[]): unknown;
  /** Sets the weather; null: a calm day. */
  weather(weather: Weather | null): unknown;
  /** Sets how far all listings are behind. */
  lag(lag: Lag): unknown;
  /** Shuts the door. */
  shut(door: { kind: 'refuse-others' | 'reset-others' | 'down'; forMs: number }): unknown;
  /** Opens it before its time. */
  open(): unknown;
  /** Waits until nothing is under way, and reports. */
  report(): unknown;
  /** Everything that took effect. */
  effects(): unknown;
  /** Everything that was asked, and what was done to it. */
  requests(): unknown;
}

/** Listens on a port of its own, which no fault touches: `POST /{method}` with the argument as JSON. */
export async function openControl(service: FaultyFinance): Promise<string> {
  const control = controlOf(service);
  const server = createServer((request, response) => {
    const method = (request.url ?? '').slice(1) as keyof Control;
    answer(control[method], request).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function controlOf(service: FaultyFinance): Control {
  const { judge, forecast } = service;
  return {
    script: (faults) => forecast.add(faults),
    weather: (weather) => forecast.set(weather ?? undefined),
    lag: (lag) => service.lagBy(lag),
    shut: ({ kind, forMs }) => {
      judge.injected(kind);
      service.shut(kind, forMs);
    },
    open: () => service.open(),
    report: async () => {
      await service.settled();
      return judge.report();
    },
    effects: () => judge.effects,
    requests: () => judge.requests,
  };
}

async function answer(method: Control[keyof Control], request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const argument: unknown = text === '' ? undefined : JSON.parse(text);
  return JSON.stringify((await (method as (given: unknown) => unknown)(argument)) ?? null);
}
