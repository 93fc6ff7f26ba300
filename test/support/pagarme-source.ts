import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderHarness } from './order-harness';

const SECRET = 'the-secret-at-the-end-of-the-address';

/** An order of one charge that the buyer had taken back, as Pagar.me answers it. */
export const CHARGED_BACK_ORDER = readFileSync(
  join(__dirname, '../fixtures/pagarme/fetched/chargedback.json'),
  'utf8',
);

/** Makes the source `pagarme`, which asks this address. The service may ask this machine (`PROVIDER_ALLOWED_NETWORKS`). */
export async function connectPagarme({ service }: OrderHarness, apiUrl: string): Promise<void> {
  const source = { slug: 'pagarme', provider: 'pagarme', secrets: [SECRET], settings: { apiUrl } };
  await service.operate('post', 'sources', source);
  const credentials = { credentials: { secretKey: 'sk_test' } };
  await service.operate('put', 'sources/pagarme/credentials', credentials);
}

/** Sends what Pagar.me sends of {@link CHARGED_BACK_ORDER}, and waits until it is worked on. @param id of the message */
export async function sendChargedBack(harness: OrderHarness, id: string): Promise<void> {
  const message = { id, type: 'charge.chargedback', data: { order: { id: 'or_Aro5514' } } };
  await harness.service.http
    .post(`/hooks/main/pagarme/${SECRET}`)
    .set('content-type', 'application/json')
    .send(JSON.stringify(message))
    .expect(200);
  await harness.settled();
}
