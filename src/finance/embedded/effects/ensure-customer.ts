import type { NewCustomer } from '../customers/customer';
import { ensureCustomers } from '../customers/customers.repository';
import { isRefused } from '../../api/ports/outcome';
import { applyReadable, type EffectHandler, onlyId, type ReservedEffect } from './effect-handler';
import { attempt } from '../../api/effects/effect-input';
import { type CustomerInput, readCustomer } from '../../api/effects/customer-ensure';

export const ensureCustomer: EffectHandler<CustomerInput> = {
  recordsOf: () => 1,
  outputOf: ([id]) => ({ id }),
  async applyMany({ tx }, effects) {
    const customers = effects.map((effect) => attempt(() => toNewCustomer(effect)));
    const ensured = await applyReadable(customers, (readable) => ensureCustomers(tx, readable));
    return ensured.map((outcome) =>
      isRefused(outcome)
        ? outcome
        : {
            output: { id: outcome.id },
            attention: [],
            found: !outcome.created,
            changes: outcome.created ? [{ type: 'customer.created', id: outcome.id }] : [],
          },
    );
  },
};

function toNewCustomer(effect: ReservedEffect<CustomerInput>): NewCustomer {
  return { id: onlyId(effect), organization: effect.organization, ...readCustomer(effect.input) };
}
