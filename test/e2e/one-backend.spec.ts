import type { Type } from '@nestjs/common';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker';
import { FinanceAvailability } from '../../src/deliveries/finance-availability';
import { RemoteDeliveryWorker } from '../../src/deliveries/remote-delivery-worker';
import { EffectApplier } from '../../src/finance/api/effects/effects.port';
import { RemoteEffectApplier } from '../../src/finance/api/effects/remote-effect-applier.port';
import { EmbeddedWorkflowEngine } from '../../src/workflows/embedded-workflow-engine';
import { RemoteWorkflowEngine } from '../../src/workflows/remote-workflow-engine';
import { TestService } from '../support/service';

const EMBEDDED = [DeliveryWorker, EmbeddedWorkflowEngine, EffectApplier] as Type[];
const REMOTE = [
  RemoteDeliveryWorker,
  RemoteWorkflowEngine,
  RemoteEffectApplier,
  FinanceAvailability,
] as Type[];

it.each([
  ['embedded', EMBEDDED, REMOTE],
  ['remote', REMOTE, EMBEDDED],
])('with FINANCE_BACKEND=%s what works for the other backend is not constructed', async (...row) => {
  const [FINANCE_BACKEND, own, others] = row;
  const address = FINANCE_BACKEND === 'remote' && { FINANCE_BASE_URL: 'http://127.0.0.1:9/v1' };
  const service = await TestService.start(undefined, { FINANCE_BACKEND, ...address });
  try {
    for (const part of own) expect(service.part(part)).toBeInstanceOf(part);
    for (const part of others) expect(() => service.part(part)).toThrow('could not find');
  } finally {
    await service.stop();
  }
});
