import { outcomeIn } from '../../console/src/outcomes';
import { APPLIED, NO_RULE, NOT_CHANGED } from '../../src/deliveries/completion';

describe('how work on a webhook ended, in Portuguese', () => {
  it.each([
    [APPLIED, 'aplicado'],
    [NOT_CHANGED, 'já existia, não foi alterado'],
    [
      `${NO_RULE}applied to order.created, order.paid`,
      'nenhuma regra se aplicou a order.created, order.paid',
    ],
    // As it was said before.
    [`${NO_RULE}for order.created`, 'nenhuma regra se aplicou a order.created'],
    [
      `${APPLIED}; needs a person: store-credit-not-booked`,
      'aplicado; precisa de alguém: store-credit-not-booked',
    ],
    ['discarded: sent by mistake; twice', 'descartado: sent by mistake; twice'],
  ])('%s', (outcome, said) => {
    expect(outcomeIn('pt-BR', outcome)).toBe(said);
    expect(outcomeIn('en', outcome)).toBe(outcome);
  });

  it.each(['a test notification of the shop', `something else; needs a person: x`, ''])(
    'is not known of: %s',
    (outcome) => expect(outcomeIn('pt-BR', outcome)).toBeUndefined(),
  );
});
