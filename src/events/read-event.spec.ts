import { join } from 'node:path';
import fc from 'fast-check';
import { mutations } from '../../test/support/mutations';
import {
  casesOf,
  contextWith,
  fetchedIn,
  FIXTURES,
  readFixture,
  stored,
} from '../../test/support/source-cases';
import { parseJsonBytes } from '../kernel/lossless-json';
import { PROVIDERS } from '../sources/registry';
import type { CanonicalEvent, EventType } from './event';
import { readEvent } from './read-event';
import { propertyRuns } from '../../test/support/property-runs';

/** Every event of every provider's fixtures. */
const EVENTS: (readonly [string, CanonicalEvent])[] = PROVIDERS.flatMap((provider) =>
  casesOf(provider.id).flatMap((one) => {
    const { says, topic, file, settings } = one;
    const fetched = fetchedIn(join(FIXTURES, provider.id), one);
    const normalised = provider.normalise(
      stored(topic, readFixture(provider.id, file), {}, fetched),
      contextWith(settings),
    );
    return 'events' in normalised
      ? normalised.events.map((event) => [`${provider.id}: ${says}: ${event.type}`, event] as const)
      : [];
  }),
);

function read(text: string): ReturnType<typeof readEvent> {
  return readEvent(parseJsonBytes(Buffer.from(text)));
}

function hasAt(event: unknown, pointer: string): boolean {
  return parentOf(event, pointer) !== undefined;
}

/** What has the member that a pointer names, and the member's name. */
function parentOf(event: unknown, pointer: string): readonly [place: object, name: string] | undefined {
  const names = pointer.split('/').slice(1);
  let place = event;
  for (const name of names.slice(0, -1)) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = Reflect.get(place, name);
  }
  return typeof place === 'object' && place !== null ? [place, names.at(-1) ?? ''] : undefined;
}

/** @param value undefined: the member is taken out; digits are a number, brackets a list */
function setAt(event: unknown, pointer: string, value: string | undefined): void {
  const [place, name] = parentOf(event, pointer) ?? [{}, ''];
  if (value === undefined) Reflect.deleteProperty(place, name);
  else Reflect.set(place, name, /^[\d[]/.test(value) ? JSON.parse(value) : value);
}

/** What is wrong, each as pointer and message. */
function faultsOf(
  change: (event: Record<string, unknown>, order: Record<string, unknown>) => void,
): string[] {
  const [, paid] = EVENTS.find(([, { type }]) => type === 'order.paid') ?? [];
  const event = JSON.parse(JSON.stringify(paid)) as { order: Record<string, unknown> };
  change(event, event.order);
  const result = read(JSON.stringify(event));
  return 'faults' in result ? result.faults.map(({ pointer, message }) => `${pointer} ${message}`) : [];
}

describe('an event written as JSON', () => {
  it.each(EVENTS)('is read back as it was: %s', (_says, event) => {
    const { raw, ...rest } = event;
    const written = { ...rest, raw: { note: 'kept', list: [1] } };
    const result = read(JSON.stringify(written));
    expect(result).toEqual({
      event: { ...event, raw: expect.objectContaining({ note: 'kept' }) as unknown },
    });
    expect(raw).toBeDefined();
  });

  it('has an empty payload when none is given', () => {
    const [, event] = EVENTS[0] ?? [];
    const result = read(JSON.stringify({ ...event, raw: undefined }));
    expect('event' in result && result.event.raw).toEqual({});
  });

  it.each<[string, Parameters<typeof faultsOf>[0], string[]]>([
    ['a type that is none', (event) => (event['type'] = 'order.payed'), ['/type must be one of']],
    ['no type', (event) => delete event['type'], ['/type must be one of']],
    [
      'an unknown field',
      (event) => (event['keey'] = 'x'),
      ['/keey there is no such field; did you mean "key"?'],
    ],
    ['an unknown field below', (_, order) => (order['a/b~c'] = 1), ['/order/a~1b~0c there is no such field']],
    [
      '__proto__',
      (_, order) => Object.defineProperty(order, '__proto__', { value: {}, enumerable: true }),
      ['/order/__proto__ there is no such field'],
    ],
    ['no order', (event) => delete event['order'], ['/order is required']],
    ['an order that is a list', (event) => (event['order'] = []), ['/order must be an object']],
    ['another key', (event) => (event['key'] = 'loja/order/x'), ['/key must be the key of the order']],
    ['no payment', (_, order) => delete order['payment'], ['/order/payment is required with order.paid']],
    ['a number for money', (_, order) => (order['total'] = 12.5), ['/order/total must be an object']],
    [
      'a number as value',
      (_, order) => (order['total'] = { value: 12.5, currency: 'BRL' }),
      ['/order/total/value must be decimal text'],
    ],
    [
      'parts of a cent',
      (_, order) => (order['total'] = { value: '1.001', currency: 'BRL' }),
      ['/order/total/value more than 2 decimals for BRL'],
    ],
    [
      'less than nothing',
      (_, order) => (order['total'] = { value: '-1.00', currency: 'BRL' }),
      ['/order/total/value must not be negative'],
    ],
    [
      'no currency',
      (_, order) => (order['total'] = { value: '1.00' }),
      ['/order/total/currency is required'],
    ],
    [
      'an unknown currency form',
      (_, order) => (order['total'] = { value: '1.00', currency: 'brl' }),
      ['/order/total/currency must be three capital letters'],
    ],
    [
      'a refund of nothing',
      (_, order) =>
        (order['refunds'] = [
          { key: 'k', value: { value: '0', currency: 'BRL' }, refundedAt: '2026-01-31T00:00:00Z' },
        ]),
      ['/order/refunds/0/value/value must be more than 0'],
    ],
    [
      'a time without an offset',
      (_, order) => (order['createdAt'] = '2026-01-31T12:00:00'),
      ['/order/createdAt must be a time'],
    ],
    [
      'a day that is none',
      (_, order) => (order['createdAt'] = '2026-02-30T12:00:00Z'),
      ['/order/createdAt must be a time'],
    ],
    [
      'a time before 1970',
      (_, order) => (order['createdAt'] = '1969-12-31T12:00:00Z'),
      ['/order/createdAt must be a time'],
    ],
    ['a number for a time', (_, order) => (order['createdAt'] = 1), ['/order/createdAt must be a time']],
    [
      'no instalments',
      (_, order) => (order['instalments'] = 0),
      ['/order/instalments must be a whole number from 1'],
    ],
    [
      'half an instalment',
      (_, order) => (order['instalments'] = 1.5),
      ['/order/instalments must be a whole number from 1'],
    ],
    ['text for a flag', (_, order) => (order['test'] = 'false'), ['/order/test must be true or false']],
    [
      'a line of nothing',
      (_, order) => (order['lines'] = [{ title: 't', quantity: 0, price: { value: '1', currency: 'BRL' } }]),
      ['/order/lines/0/quantity must be a number above zero'],
    ],
    ['null in a list', (_, order) => (order['lines'] = [null]), ['/order/lines/0 must be an object']],
    ['no lines', (_, order) => delete order['lines'], ['/order/lines is required']],
    [
      'a customer without a name',
      (_, order) => (order['customer'] = { key: 'k', name: ' ' }),
      ['/order/customer/name must not be empty'],
    ],
    [
      'a control character',
      (_, order) => (order['number'] = 'a\0'),
      ['/order/number must not hold control characters'],
    ],
    ['no list of payments is that of its payment', (_, order) => delete order['payments'], []],
    [
      'a payment that is none of the payments',
      (_, order) => (order['payments'] = []),
      ['/order/payment/key must be the key of one of the payments'],
    ],
    [
      'one payment twice',
      (_, order) => (order['payments'] = [order['payment'], order['payment']]),
      ['/order/payments/1/key must be in the list once'],
    ],
    [
      'payments that are not in the order of their times',
      (_, order) => {
        const earlier = { key: 'k', paidAt: '2020-01-31T00:00:00Z' };
        order['payments'] = [order['payment'], { ...(order['payment'] as object), ...earlier }];
      },
      ['/order/payments/1 must not be before the one before it'],
    ],
    [
      'a charge that is due on no day',
      (_, order) =>
        (order['charge'] = {
          ...{ key: 'k', gateway: '', method: '', value: { value: '1.00', currency: 'BRL' } },
          dueDate: '2026-02-30',
        }),
      ['/order/charge/dueDate must be a day such as 2026-01-31'],
    ],
    [
      'an edit that changes nothing',
      (_, order) =>
        (order['edits'] = [
          { key: 'k', value: { value: '0.00', currency: 'BRL' }, editedAt: '2026-01-31T00:00:00Z' },
        ]),
      ['/order/edits/0/value/value must not be 0'],
    ],
    [
      'two things at once',
      (_, order) => {
        order['test'] = 1;
        order['number'] = 2;
      },
      ['/order/number must be text', '/order/test must be true or false'],
    ],
  ])('is refused with %s', (_what, change, expected) => {
    expect(faultsOf(change)).toEqual(expected.map((start) => expect.stringContaining(start) as unknown));
  });

  it.each<[EventType, string, string | undefined, string]>([
    ['payment.disputed', '/dispute/state', 'closed', 'must be open or won or lost'],
    ['order.pending', '/order/charge', undefined, 'is required with order.pending'],
    ['order.expired', '/order/charge', undefined, 'is required with order.expired'],
    ['order.edited', '/order/edits', undefined, 'is required with order.edited'],
    ['order.edited', '/order/edits', '[]', 'is required with order.edited'],
    ['payment.settled', '/settlement/number', '4', 'must not be more than "of"'],
    ['payment.settled', '/settlement/of', '0', 'must be a whole number from 1'],
    [
      'payout.paid',
      '/payout/lines/0/kind',
      'tip',
      'must be payment or refund or dispute or fee or adjustment',
    ],
    ['payout.paid', '/payout/lines/0/value/currency', 'USD', 'must be BRL, as the payout is'],
    ['bill.paid', '/bill/supplier/name', '', 'must not be empty'],
  ])('of %s is refused where %s is %j', (type, pointer, value, message) => {
    const [, event] = EVENTS.findLast((read) => read[1].type === type && hasAt(read[1], pointer)) ?? [];
    const changed = JSON.parse(JSON.stringify({ ...event, raw: {} })) as unknown;
    setAt(changed, pointer, value);
    expect(read(JSON.stringify(changed))).toEqual({
      faults: [{ pointer, code: expect.any(String) as unknown, message }],
    });
  });

  it.each(['null', '[]', '"text"', '12', 'true'])('is refused when it is %s', (text) => {
    expect(read(text)).toEqual({ faults: [{ pointer: '', code: 'object', message: 'must be an object' }] });
  });

  it('with anything anywhere is read or refused, and never more than a hundred things are said', () => {
    const anyEvent = fc.constantFrom(...EVENTS.map(([, event]) => Buffer.from(JSON.stringify(event))));
    fc.assert(
      fc.property(anyEvent.chain(mutations), (text) => {
        let json;
        try {
          json = parseJsonBytes(Buffer.from(text));
        } catch {
          return;
        }
        const result = readEvent(json);
        if ('event' in result) return;
        expect(result.faults.length).toBeGreaterThan(0);
        expect(result.faults.length).toBeLessThanOrEqual(100);
        for (const { pointer } of result.faults) expect(pointer).toMatch(/^(\/|$)/);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
