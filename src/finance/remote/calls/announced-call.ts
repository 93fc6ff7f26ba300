import type { ChangeType } from '../../../feed/changes/change-types';
import type { Change } from '../../../feed/changes/changes.repository';
import type { OperationId } from '../../api/operations/operations';
import { isRequest, type StoredCall } from './call-states';

/** The change that a call's effect is in the feed, and what its record's identifier is called there. */
interface DetectedChange {
  readonly type: ChangeType;
  readonly idField: string;
  /** The path parameter that names the record, where the reply names none. */
  readonly pathId?: string;
}

const CHANGES: Partial<Record<OperationId, DetectedChange>> = {
  'customers.create': { type: 'customer.created', idField: 'id' },
  'customers.update': { type: 'customer.updated', idField: 'id', pathId: 'CustomerId' },
  'schedules.createCredit': { type: 'credit-schedule.created', idField: 'scheduleId' },
  'payments.register': { type: 'payment.registered', idField: 'entryId' },
  'receipts.register': { type: 'receipt.registered', idField: 'entryId' },
  'receipts.registerForSchedule': { type: 'receipt.registered', idField: 'entryId' },
  'costCenters.update': { type: 'cost-center.updated', idField: 'costCenterId', pathId: 'CostCenterId' },
  'accounts.transfer': { type: 'transfer.made', idField: 'entryId' },
  'payments.remove': { type: 'payment.deleted', idField: 'entryId', pathId: 'PaymentId' },
  'accounts.update': { type: 'account.updated', idField: 'id', pathId: 'AccountId' },
  'accounts.create': { type: 'account.created', idField: 'id' },
};

/**
 * The change in the feed for a call that took effect: what was sent, with the identifiers that are known. Where the
 * service names no record (a receipt for a schedule, a transfer), the call's own identifier stands for it.
 */
export function changeOfCall(call: StoredCall): Change {
  const { operation, path = {}, body = {} } = call.content;
  const change = CHANGES[operation];
  if (!change) throw new Error(`a call that changes nothing took effect: ${operation}`);
  const { type, idField, pathId } = change;
  const recordId = pathId === undefined ? call.output.id : path[pathId]?.toLowerCase();
  const scheduleId = path['ScheduleId']?.toLowerCase();
  return {
    organizationId: call.organizationId,
    type,
    recordId: recordId ?? call.id,
    ...(isRequest(call) ? {} : { businessKey: call.effectKey }),
    ...(call.deliveryId === null ? {} : { deliveryId: call.deliveryId }),
    data: {
      ...(recordId !== undefined && { [idField]: recordId }),
      ...(scheduleId !== undefined && { scheduleId }),
      ...body,
    },
  };
}
