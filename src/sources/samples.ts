import type { FetchedAnswer } from './source';

/** What an order of a sample says, whatever the shop: made up for trying Ponte out, nobody's data. */
export interface DemoOrder {
  id: number;
  number: number;
  total: string;
  name: string;
  document: string;
  email: string;
  instalments: number;
}

/** The order of the samples. */
export const SAMPLE_ORDER: DemoOrder = {
  id: 5820013469777,
  number: 1777,
  total: '100.00',
  name: 'Marina Duarte',
  document: '529.982.247-25',
  email: 'marina@example.com',
  instalments: 3,
};

/** What a provider's API answers with status 200. @param name of the request */
export function answered(name: string, value: unknown): FetchedAnswer {
  return { name, status: 200, body: jsonBytes(value) };
}

/** A body as it is sent. */
export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
