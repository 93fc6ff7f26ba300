import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import { vtex } from './vtex';

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'vtex');
const AT = new Date('2026-08-10T12:00:00Z');

type Json = Record<string, unknown>;

/** The order of 548.00 that was changed, with these payments. @param more what the change added, in cents; below zero: took off */
function changed(more: number, payments: readonly (readonly [id: string, value: number])[]): OrderFacts {
  const order = JSON.parse(readFileSync(join(folder, 'fetched', 'handling-changed.json'), 'utf8')) as Json;
  const [data] = (order.changesAttachment as { changesData: Json[] }).changesData;
  const body = {
    ...order,
    value: 54_800 + more,
    totals: [
      { id: 'Items', value: 54_800 },
      { id: 'Change', value: more },
    ],
    changesAttachment: {
      changesData: [{ ...data, discountValue: Math.max(-more, 0), incrementValue: Math.max(more, 0) }],
    },
    paymentData: {
      transactions: [
        {
          isActive: true,
          transactionId: 'T',
          payments: payments.map(([id, value]) => ({
            ...{ id, group: 'creditCard', paymentSystemName: 'Visa', installments: 1 },
            ...{ value, referenceValue: value },
          })),
        },
      ],
    },
  };
  const rawBody = readFileSync(join(folder, 'handling-changed.json'));
  const { topic, attributes } = vtex.identify({ method: 'POST', headers: {}, query: {}, rawBody });
  const fetched = [{ name: 'order', status: 200, body: Buffer.from(JSON.stringify(body)) }];
  const result = vtex.normalise(
    { topic, attributes, rawBody, receivedAt: AT, fetched },
    { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: { account: 'ipemoveis' } },
  );
  const [event] = 'events' in result ? result.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}
const paid = ({ payments }: OrderFacts) =>
  payments.map(({ key, value }) => `${key.split('/').at(-1)} ${value.toString()}`);

describe('an order of VTEX that was changed after it was paid', () => {
  it.each([
    ['what it was made for', [['I1', 54_800]], ['I1 548.00']],
    [
      'what was added, too',
      [
        ['I1', 54_800],
        ['I2', 2_000],
      ],
      ['I1 548.00', 'I2 20.00'],
    ],
    ['what it costs now', [['I1', 56_800]], ['I1 568.00']],
  ] as const)('and became dearer keeps the payments that it lists: of %s', (_of, listed, payments) => {
    const order = changed(2_000, listed);
    expect([order.total.toString(), order.edits?.map(({ value }) => value.toString())]).toEqual([
      '548.00',
      ['20.00'],
    ]);
    expect([paid(order), order.lines.length, order.differences]).toEqual([payments, 2, []]);
  });

  it('and became dearer was paid for its change on the day of the change', () => {
    const { payments } = changed(2_000, [
      ['I1', 54_800],
      ['I2', 2_000],
    ]);
    expect(payments.map(({ paidAt, datedBy }) => [paidAt.toISOString(), datedBy])).toEqual([
      ['2026-07-16T14:00:00.000Z', undefined],
      ['2026-07-18T13:59:50.000Z', 'changesAttachment'],
    ]);
  });

  it('and became cheaper may list what it was made for, or what it costs now', () => {
    const [before, now] = [changed(-9_900, [['I1', 54_800]]), changed(-9_900, [['I1', 44_900]])];
    expect([paid(before), paid(now)]).toEqual([['I1 548.00'], ['I1 449.00']]);
    for (const { differences } of [before, now])
      expect(differences).toEqual([expect.stringContaining('99.00 BRL cheaper after it was paid') as string]);
  });

  it('and of which more was paid than it ever cost asks a person', () => {
    const order = changed(2_000, [['I1', 90_000]]);
    expect(paid(order)).toEqual(['I1 548.00']);
    expect(order.differences).toEqual([expect.stringContaining('come to 900.00 BRL') as string]);
  });
});
