import { setImmediate as nextTick } from 'node:timers/promises';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker';
import { ListenerPool } from '../../src/ops/listener-pool';
import { TestService } from '../support/service';
import { until } from '../support/until';

it('no delivery is taken in hand while the last replies are on their way', async () => {
  const service = await TestService.start();
  const doors = service.part(ListenerPool);
  const close = doors.close.bind(doors);
  let closeNow: () => void = () => undefined;
  const inFlight = new Promise<void>((resolve) => (closeNow = resolve));
  // As long as a reply is on its way, the doors are being closed.
  const closing = jest.spyOn(doors, 'close').mockImplementation(() => inFlight.then(close));
  const worker = service.part(DeliveryWorker);
  const turns = jest.spyOn(worker, 'workOnce');
  worker.wake();
  await until(() => turns.mock.calls.length > 0);
  const stopped = service.stop();
  await until(() => closing.mock.calls.length > 0);
  turns.mockClear();
  for (let times = 0; times < 20; times += 1) {
    worker.wake();
    await nextTick();
  }
  expect(turns).not.toHaveBeenCalled();
  closeNow();
  await stopped;
});
