import type { AttentionPage } from '../../src/admin/deliveries/deliveries.dto';
import { OrderHarness } from '../support/order-harness';
import { putProfile } from '../support/profiles';

const AT = (day: string): string => `2026-03-${day}T12:00:00-03:00`;

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('what a rule asked a person, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;
  let order: { id: string; total: string; createdAt: string; customer: object };

  beforeAll(async () => {
    harness = await open();
    await putProfile(harness.service, 'accrual');
  });
  afterAll(() => harness.stop());

  beforeEach(() => {
    orders += 1;
    const customer = { id: 'c', name: 'Lia Campos' };
    order = { id: `o${orders}`, total: '100.00', createdAt: AT('02'), customer };
  });

  /** Codes of what is on the list about the order. */
  async function asked(): Promise<string[]> {
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    return items.flatMap(({ businessKey, code }) =>
      businessKey === `standard/order/${order.id}` ? [code] : [],
    );
  }

  /** Amounts of what is on the list about the order. */
  async function amounts(): Promise<string[]> {
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    return items.flatMap(({ businessKey, value }) =>
      businessKey === `standard/order/${order.id}` ? [value] : [],
    );
  }

  const pix = (value: string, id = 'p2') => ({
    ...{ id, gateway: 'pagarme', method: 'pix', value, paidAt: AT('10') },
  });

  const expired = (id = 'p1') =>
    harness.standard('order.expired', {
      ...order,
      charge: { id, gateway: 'pagarme', method: 'boleto', value: '100.00' },
    });

  it('about an expired boleto is off the list once the order is paid in full in another way', async () => {
    await expired();
    expect(await asked()).toEqual(['rule-charge-expired']);
    await harness.standard('order.paid', { ...order, payments: [pix('40.00')] });
    expect(await asked()).toEqual(['rule-charge-expired']);
    await harness.standard('order.paid', { ...order, payments: [pix('40.00'), pix('60.00', 'p3')] });
    expect(await asked()).toEqual([]);
    expect((await harness.lastDelivery()).outcome).toBe('applied');
  });

  it('about an expired boleto is not asked where the order is paid in full already, and is where it is paid in part', async () => {
    const charge = { id: 'p1', gateway: 'pagarme', method: 'boleto', value: '100.00' };
    await harness.standard('order.expired', { ...order, charge, payments: [pix('99.99')] });
    expect(await asked()).toEqual(['rule-charge-expired']);
    order = { ...order, id: `${order.id}-paid` };
    await harness.standard('order.expired', { ...order, charge, payments: [pix('100.00')] });
    expect(await asked()).toEqual([]);
  });

  it('about an expired boleto is not asked where earlier messages told of payments that it leaves out', async () => {
    await harness.standard('order.paid', { ...order, payments: [pix('60.00')] });
    await expired();
    expect(await asked()).toEqual(['rule-charge-expired']);
    order = { ...order, id: `${order.id}-paid` };
    await harness.standard('order.paid', { ...order, payments: [pix('60.00')] });
    await harness.standard('order.paid', { ...order, payments: [pix('40.00', 'p3')] });
    await expired();
    expect(await asked()).toEqual([]);
    expect((await harness.lastDelivery()).outcome).toBe('applied');
  });

  it('about an expired boleto is off the list once the order is cancelled, and not of another order', async () => {
    await expired();
    const other = order;
    order = { ...order, id: `${order.id}-other` };
    await expired();
    await harness.standard('order.cancelled', { ...order, cancelledAt: AT('12') });
    expect(await asked()).toEqual([]);
    order = other;
    expect(await asked()).toEqual(['rule-charge-expired']);
  });

  it('about a part that was paid of a cancelled order is off the list once it is refunded', async () => {
    const cancelled = { ...order, payments: [pix('40.00')], cancelledAt: AT('12') };
    await harness.standard('order.cancelled', cancelled);
    expect(await asked()).toEqual(['rule-cancelled-part-paid']);
    const refunds = [{ id: 'r1', value: '40.00', refundedAt: AT('13') }];
    await harness.standard('order.cancelled', { ...cancelled, refunds });
    expect(await asked()).not.toContain('rule-cancelled-part-paid');
  });

  it('about a part that was paid of a cancelled order is one, also where some of it was refunded since', async () => {
    const cancelled = { ...order, payments: [pix('40.00')], cancelledAt: AT('12') };
    await harness.standard('order.cancelled', cancelled);
    const refunds = [{ id: 'r1', value: '10.00', refundedAt: AT('13') }];
    await harness.standard('order.cancelled', { ...cancelled, refunds });
    expect(await asked()).toEqual(['rule-cancelled-part-paid']);
    expect((await harness.lastDelivery()).outcome).toBe('applied');
  });

  it('about a part that was paid of a cancelled order is off the list once refunds gave all of it back', async () => {
    await harness.standard('order.paid', { ...order, payments: [pix('40.00')] });
    const cancelled = { ...order, payments: [pix('40.00')], cancelledAt: AT('12') };
    await harness.standard('order.cancelled', cancelled);
    const refund = (id: string, value: string) => ({ id, value, refundedAt: AT('13') });
    await harness.standard('order.refunded', { ...cancelled, refunds: [refund('r1', '39.99')] });
    expect(await asked()).toEqual(['rule-cancelled-part-paid']);
    const refunds = [refund('r1', '39.99'), refund('r2', '0.01')];
    // Of payments that a message leaves out nobody knows whether they went back.
    await harness.standard('order.refunded', { ...cancelled, payments: [], paidAt: AT('10'), refunds });
    expect(await asked()).toEqual(['rule-cancelled-part-paid']);
    await harness.standard('order.refunded', { ...cancelled, refunds });
    expect(await asked()).toEqual([]);
  });

  it('about what a receivable comes to is off the list once it is written off, and no other question is', async () => {
    await harness.standard('order.created', order);
    await harness.standard('order.created', { ...order, total: '120.00' });
    expect(await asked()).toEqual(['amount-differs']);
    const cancelled = { ...order, total: '130.00', cancelledAt: AT('12') };
    await harness.standard('order.cancelled', cancelled);
    expect(await asked()).toEqual([]);
    expect((await harness.lastDelivery()).outcome).toBe('applied');
  });

  it('about what a payment comes to stays on the list when the rest of the receivable is written off', async () => {
    await harness.standard('order.paid', { ...order, payments: [pix('40.00')] });
    await harness.standard('order.paid', { ...order, payments: [pix('45.00')] });
    await harness.standard('order.created', { ...order, total: '120.00' });
    expect(await asked()).toEqual(['amount-differs', 'amount-differs']);
    await harness.standard('order.cancelled', { ...order, payments: [pix('40.00')], cancelledAt: AT('12') });
    expect((await asked()).sort()).toEqual(['amount-differs', 'rule-cancelled-part-paid']);
  });

  it('about a paid order that was cancelled is off the list once all of it is refunded', async () => {
    const cancelled = { ...order, payments: [pix('100.00')], cancelledAt: AT('12') };
    await harness.standard('order.paid', { ...order, payments: [pix('100.00')] });
    await harness.standard('order.cancelled', cancelled);
    const refund = (id: string, value: string) => ({ id, value, refundedAt: AT('13') });
    await harness.standard('order.refunded', { ...cancelled, refunds: [refund('r1', '40.00')] });
    expect(await asked()).toEqual(['cancellation-not-booked']);
    const refunds = [refund('r1', '40.00'), refund('r2', '60.00')];
    await harness.standard('order.refunded', { ...cancelled, refunds });
    expect(await asked()).toEqual([]);
  });

  it('about a paid order that was cancelled is one, of what is left since a part of it was refunded', async () => {
    const cancelled = { ...order, payments: [pix('100.00')], cancelledAt: AT('12') };
    await harness.standard('order.paid', { ...order, payments: [pix('100.00')] });
    await harness.standard('order.cancelled', cancelled);
    expect(await amounts()).toEqual(['100.00']);
    const refund = (id: string, value: string) => ({ id, value, refundedAt: AT('13') });
    const refunds = [refund('r1', '40.00')];
    await harness.standard('order.refunded', { ...cancelled, refunds });
    expect(await amounts()).toEqual(['60.00']);
    expect((await harness.lastDelivery()).outcome).toBe('applied');
    await harness.standard('order.cancelled', { ...cancelled, refunds });
    expect(await amounts()).toEqual(['60.00']);
    await harness.standard('order.cancelled', { ...cancelled, refunds: [...refunds, refund('r2', '10.00')] });
    expect(await amounts()).toEqual(['50.00']);
    // What was said before comes late.
    await harness.standard('order.cancelled', { ...cancelled, updatedAt: AT('12'), tip: '0.00' });
    expect(await amounts()).toEqual(['50.00']);
  });

  it('about a paid order that was cancelled is not asked by a refund once a person has dealt with it', async () => {
    const cancelled = { ...order, payments: [pix('100.00')], cancelledAt: AT('12') };
    await harness.standard('order.paid', { ...order, payments: [pix('100.00')] });
    await harness.standard('order.cancelled', cancelled);
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    const id = items.find(({ businessKey }) => businessKey === `standard/order/${order.id}`)?.id;
    await harness.service.operate('post', `attention/${id}/resolve`, { reason: 'kept as agreed' });
    const refunds = [{ id: 'r1', value: '40.00', refundedAt: AT('13') }];
    await harness.standard('order.refunded', { ...cancelled, refunds });
    expect(await asked()).toEqual([]);
  });
});
