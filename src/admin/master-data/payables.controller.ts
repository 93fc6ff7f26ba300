import { Controller, Post } from '@nestjs/common';
import { unacceptable } from '../../kernel/problem';
import { Payables } from '../../finance/embedded/payables/payables';
import { IdempotentTransaction } from '../../finance/embedded/idempotency/idempotent-transaction';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { AuditRepository } from '../audit.repository';
import { Creates } from '../operation';
import { NewDebitScheduleBody, NewPaymentBody } from './payables.dto';
import { MadeView } from './records.dto';

/** What the organization owes, and its payment: the finance interface lists it and cannot make it. */
@OperatorsApi('Payables')
@Controller('admin/organizations/:org/schedules/debit')
export class PayablesController {
  constructor(
    private readonly payables: Payables,
    private readonly writes: IdempotentTransaction,
    private readonly audit: AuditRepository,
  ) {}

  @Post()
  @Creates(MadeView, 'Register what is owed to a supplier')
  create(
    @CurrentActor() actor: Actor,
    @JsonBody(NewDebitScheduleBody) body: NewDebitScheduleBody,
  ): Promise<MadeView> {
    const { currency, reason, value, stakeholderId, dueDate, ...optional } = body;
    checkCurrency(actor.organization, currency);
    return this.writes.transaction(async (tx) => {
      const schedule = { value, stakeholderId, dueDate, ...given(optional) };
      const id = await this.payables.create(tx, actor.organization, schedule);
      await this.audit.record(tx, actor, {
        action: 'debit-schedule.create',
        subject: id,
        after: { stakeholderId, ...value.toJSON(), dueDate: dueDate.toString() },
        reason,
      });
      return { id };
    });
  }

  @Post(':id/payments')
  @Creates(MadeView, 'Register a payment of it, of all that is open or less')
  @ApiProblems('conflict', 'exceeds-open-value', 'before-opening-date')
  pay(
    @CurrentActor() actor: Actor,
    @UuidParam('id') scheduleId: string,
    @JsonBody(NewPaymentBody) body: NewPaymentBody,
  ): Promise<MadeView> {
    const { currency, reason, value, accountId, date, ...optional } = body;
    checkCurrency(actor.organization, currency);
    return this.writes.transaction(async (tx) => {
      const payment = { value, accountId, date, ...given(optional) };
      const id = await this.payables.pay(tx, actor.organization, scheduleId, payment);
      await this.audit.record(tx, actor, {
        action: 'payment.create',
        subject: id,
        after: { scheduleId, accountId, ...value.toJSON(), date: date.toString() },
        reason,
      });
      return { id };
    });
  }
}

function checkCurrency(organization: Organization, currency: string | null | undefined): void {
  if (currency && currency !== organization.currency)
    throw unacceptable('/currency', 'currency', `the books are kept in ${organization.currency}`);
}

/** What is neither absent nor null. */
function given<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present) as { [Name in keyof T]?: NonNullable<T[Name]> };
}
