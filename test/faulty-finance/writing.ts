import { Refusal, type Answer } from './answer';
import { newId, type Company } from './company';
import type { Fields } from './fields';

/** A request that changes something. */
export interface Change {
  /** `POST /customers` */
  readonly operation: string;
  /** What it is to the business, whether or not it takes effect. */
  readonly identities: readonly string[];
  /** Takes effect. @throws Refusal and has none */
  readonly apply: () => Answer;
}

/** What reads a request. @throws Refusal when it cannot be read */
export type ReadChange = (company: Company, ids: readonly string[], fields: Fields) => Change;

const NO_CONTENT: Answer = { status: 204 };

export const createCustomer: ReadChange = (company, _ids, fields) => {
  const operation = 'POST /customers';
  const [name, email] = [fields.text('name'), fields.optionalText('email')];
  const document = fields.part('document').optionalText('number')?.replace(/\W/g, '');
  const identity = named(company, 'customer', document ?? `${name} ${email}`);
  const apply = (): Answer => {
    const same = company.sameDocument(document);
    if (same) {
      const message = 'a customer has this document already';
      throw new Refusal(409, 'customer-exists', message, { customerId: same.id });
    }
    const id = newId();
    company.customers.set(id, { id, name, email, document });
    company.history.wrote(company.customer(id));
    company.took(operation, [{ identity, id, minor: 0 }]);
    return { status: 200, body: id };
  };
  return { operation, identities: [identity], apply };
};

export const createCreditSchedule: ReadChange = (company, _ids, fields) => {
  const operation = 'POST /schedules/credit';
  const stakeholderId = fields.text('stakeholderId');
  const [description, reference] = [fields.optionalText('description'), fields.optionalText('reference')];
  const [categoryId, costCenterId] = [fields.optionalText('categoryId'), fields.optionalText('costCenterId')];
  const minor = fields.amount('value');
  const scheduleDate = fields.optionalText('scheduleDate')?.slice(0, 10) ?? fields.day('dueDate');
  const instalments = fields.parts('instalment').map(readInstalment);
  const parts = instalments.length > 0 ? instalments : [readInstalment(fields)];
  const identities = parts.map(({ dueDate, description: own }) =>
    named(company, 'schedule', `${reference ?? `${stakeholderId} ${own ?? description}`} ${dueDate}`),
  );
  const apply = (): Answer => {
    company.customer(stakeholderId);
    company.checkCodes(categoryId, costCenterId);
    if (parts.reduce((sum, part) => sum + part.minor, 0) !== minor) {
      throw new Refusal(422, 'instalments-mismatch', 'the instalments do not add up to the value');
    }
    const common = {
      kind: 'credit' as const,
      stakeholderId,
      reference,
      scheduleDate,
      categoryId,
      costCenterId,
    };
    const made = parts.map((part) => {
      const own = { ...part, description: part.description ?? description, openMinor: part.minor };
      return { id: newId(), ...common, ...own, isFlagged: fields.flag('isFlagged') };
    });
    for (const schedule of made) {
      company.schedules.set(schedule.id, schedule);
      company.history.wrote(schedule);
    }
    company.took(
      operation,
      made.map((schedule, index) => ({
        identity: identities[index] ?? '',
        id: schedule.id,
        minor: schedule.minor,
      })),
    );
    return { status: 200, body: made[0]?.id };
  };
  return { operation, identities, apply };
};

function readInstalment(fields: Fields): { minor: number; dueDate: string; description?: string } {
  return {
    minor: fields.amount('value'),
    dueDate: fields.day('dueDate'),
    description: fields.optionalText('description'),
  };
}

export const receiveForSchedule: ReadChange = (company, [scheduleId = ''], fields) => {
  const operation = 'POST /schedules/credit/receipts';
  const [accountId, minor, date] = [fields.text('accountId'), fields.amount('value'), fields.day('date')];
  const identifier = fields.optionalText('identifier');
  const identity = named(company, 'receipt', `${scheduleId} ${identifier ?? `${date} ${minor}`}`);
  const apply = (): Answer => {
    const schedule = company.schedule(scheduleId, 'credit');
    const account = company.account(accountId);
    if (company.settings.refusesOverpayment && minor > schedule.openMinor) {
      const openValue = schedule.openMinor / 100;
      throw new Refusal(422, 'exceeds-open-value', 'that is more than what is open', { openValue });
    }
    schedule.openMinor -= minor;
    account.balanceMinor += minor;
    company.history.wrote(schedule);
    company.took(operation, [{ identity, id: newId(), minor }]);
    return NO_CONTENT;
  };
  return { operation, identities: [identity], apply };
};

/** @param sign -1 for a payment, 1 for a receipt */
export function registerOnAccount(operation: string, sign: 1 | -1): ReadChange {
  return (company, _ids, fields) => {
    const [accountId, minor, date] = [fields.text('accountId'), fields.amount('value'), fields.day('date')];
    const text = fields.optionalText('reference') ?? fields.optionalText('description') ?? '';
    const stakeholder = fields.optionalText('stakeholderId') ?? '';
    const identity = named(company, operation, [accountId, stakeholder, date, minor, text].join(' '));
    const apply = (): Answer => {
      const account = company.account(accountId);
      company.checkCodes(fields.optionalText('categoryId'), fields.optionalText('costCenterId'));
      account.balanceMinor += sign * minor;
      const id = newId();
      company.took(operation, [{ identity, id, minor }]);
      return { status: 200, body: id };
    };
    return { operation, identities: [identity], apply };
  };
}

export const transfer: ReadChange = (company, _ids, fields) => {
  const operation = 'POST /accounts/transfer';
  const [from, to] = [fields.text('originAccountId'), fields.text('destinyAccountId')];
  const [minor, date] = [fields.amount('value'), fields.day('date')];
  const identity = named(company, 'transfer', [from, to, date, minor].join(' '));
  const apply = (): Answer => {
    const [origin, destiny] = [company.account(from), company.account(to)];
    origin.balanceMinor -= minor;
    destiny.balanceMinor += minor;
    company.took(operation, [{ identity, id: newId(), minor }]);
    return NO_CONTENT;
  };
  return { operation, identities: [identity], apply };
};

export const createAccount: ReadChange = (company, _ids, fields) => {
  const operation = 'POST /accounts';
  const name = fields.text('name');
  const [dateOfOpenBalance, openMinor] = [
    fields.day('dateOfOpenBalance'),
    fields.anyAmount('openBalance') ?? 0,
  ];
  const identity = named(company, 'account', name);
  const apply = (): Answer => {
    const id = newId();
    company.accounts.set(id, { id, name, openMinor, dateOfOpenBalance, balanceMinor: 0 });
    company.history.wrote(company.account(id));
    company.took(operation, [{ identity, id, minor: 0 }]);
    return { status: 200, body: id };
  };
  return { operation, identities: [identity], apply };
};

/** The same values may be put again: nothing is done twice by it. */
export const updateCostCenter: ReadChange = (company, [costCenterId = ''], fields) => {
  const operation = 'PUT /costcenters';
  const [description, externalCode] = [
    fields.optionalText('description'),
    fields.optionalText('externalCode'),
  ];
  const apply = (): Answer => {
    const before = company.costCenter(costCenterId);
    const after = {
      ...before,
      ...(description !== undefined && { description }),
      ...(externalCode !== undefined && { externalCode }),
    };
    company.costCenters.set(costCenterId, after);
    company.history.wrote(after);
    return NO_CONTENT;
  };
  return { operation, identities: [], apply };
};

export const removePayment: ReadChange = (company, [scheduleId = '', paymentId = '']) => {
  const operation = 'DELETE /schedules/debit/payments';
  const identity = named(company, 'payment removed', paymentId);
  const apply = (): Answer => {
    const payment = company.payments.get(paymentId);
    if (payment?.scheduleId !== scheduleId) throw new Refusal(404, 'not-found', 'there is no such payment');
    company.payments.delete(paymentId);
    company.schedule(scheduleId, 'debit').openMinor += payment.minor;
    company.account(payment.accountId).balanceMinor += payment.minor;
    company.took(operation, [{ identity, id: paymentId, minor: payment.minor }]);
    return NO_CONTENT;
  };
  return { operation, identities: [identity], apply };
};

function named(company: Company, kind: string, name: string): string {
  return `${company.settings.organization}: ${kind} ${name}`;
}
