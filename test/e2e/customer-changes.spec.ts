import { newId } from '../../src/kernel/identifier';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { OPERATORS_KEY } from '../support/service';

const RULE = [
  'rule: customers',
  'when: {event: customer.updated}',
  'then: [{id: customer, do: customer.ensure, with: {name: "${customer.name}", document: "${customer.document}", email: "${customer.email}"}}]',
].join('\n');

describe.each([
  ['embedded', () => OrderHarness.embedded()],
  ['remote', () => OrderHarness.remote({ uniqueDocuments: true })],
])('changes of a customer, %s', (_backend, start) => {
  let harness: OrderHarness;

  beforeAll(async () => {
    harness = await start();
    await harness.service.http
      .put('/admin/organizations/main/rules/customers')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(RULE)
      .expect(200);
  });
  afterAll(() => harness.stop());

  async function send(fields: { name: string; document: string; email: string }): Promise<void> {
    const body = JSON.stringify({
      type: 'customer.updated',
      timestamp: '2026-11-20T12:00:00Z',
      data: { id: fields.document, ...fields },
    });
    const reply = await harness.service.hook({ source: 'standard', topic: 'customer.updated', body });
    expect(reply.status).toBe(200);
    await harness.settled();
  }

  it('make the customer, and say afterwards that nothing was changed', async () => {
    const lia = { name: 'Lia Campos', document: cpfNumber(84_001), email: 'lia@example.com' };
    await send(lia);
    expect(await harness.lastDelivery()).toMatchObject({ state: 'done', outcome: 'applied' });
    await send({ ...lia, email: 'new@example.com' });
    expect(await harness.lastDelivery()).toMatchObject({ state: 'done', outcome: 'existing, not changed' });
    const { id } = await harness.lastDelivery();
    const { steps } = await harness.service.database.prisma.run.findFirstOrThrow({
      where: { deliveryId: id },
    });
    expect(steps).toMatchObject([{ id: 'customer', state: 'existing' }]);
    const [customer] = await harness.books.prisma.stakeholder.findMany({ where: { name: lia.name } });
    expect(customer).toMatchObject({ email: 'lia@example.com' });
  });

  it('say the same of a customer whom the books had before', async () => {
    const document = cpfNumber(84_002).replace(/\D/g, '');
    const { organizationId } = await harness.books.prisma.account.findFirstOrThrow();
    await harness.books.prisma.stakeholder.create({
      data: {
        ...{ id: newId(), organizationId, kind: 'customer', name: 'Ana', document, documentType: 'Cpf' },
      },
    });
    await send({ name: 'Ana Maria', document, email: 'ana@example.com' });
    expect(await harness.lastDelivery()).toMatchObject({ state: 'done', outcome: 'existing, not changed' });
  });
});
