import { Payload } from '../payload';
import { type OrderStatus, statusOf } from './status';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const LAST_CHANGE = '2026-07-15T19:00:03.9551000+00:00';

function read(order: Record<string, unknown>): OrderStatus {
  const bytes = Buffer.from(JSON.stringify({ lastChange: LAST_CHANGE, ...order }));
  return statusOf(Payload.parse(bytes), 'America/Sao_Paulo', RECEIVED_AT);
}

describe('An order of VTEX that was cancelled', () => {
  const cancelledAt = (cancellationData: unknown, status = 'canceled') =>
    read({ status, cancellationData }).cancelledAt;

  it.each(['cancellationDate', 'CancellationDate'])('was so at the time of %s', (name) => {
    expect(cancelledAt({ [name]: '2026-07-15T18:59:58.7335718Z' })).toEqual(
      new Date('2026-07-15T18:59:58.733Z'),
    );
  });

  it.each([null, {}, { CancellationDate: '2026-07--15T18:59:58' }, { cancellationDate: {} }])(
    'was so at its last change where it says %j',
    (data) => {
      expect(cancelledAt(data)).toEqual(new Date(LAST_CHANGE));
    },
  );

  it('is not refused for the time of a cancellation that did not come about', () => {
    expect(cancelledAt({ CancellationDate: '2026-07--15T18:59:58' }, 'handling')).toBeUndefined();
  });
});

describe('An order of VTEX without a status', () => {
  it.each(['', null, undefined])('is neither paid nor waited for: %j', (status) => {
    expect(read({ status })).toEqual({
      ...{ name: 'without a status', paid: undefined, isWaiting: false, cancelledAt: undefined },
      differences: [],
    });
  });

  it('is paid where it has a time of its payment', () => {
    expect(read({ status: '', authorizedDate: '2026-07-15T13:00:00Z' })).toMatchObject({
      paid: { paidAt: new Date('2026-07-15T13:00:00Z') },
      differences: [],
    });
  });
});
