import { CONTEXT, compiled, paidOrder, ruleNaming, updatedCustomer } from './fixtures';
import { LookupTable } from './lookup-table';
import { planRule } from './plan-rule';

describe('a lookup table', () => {
  const general = { pix: 'bank', card: 'acquirer', default: 'main' };

  it.each<[string, Record<string, string>, Record<string, string | undefined>]>([
    ['nothing of the source', general, { pix: 'bank', boleto: 'main' }],
    ['something of another source', { ...general, 'shop/pix': 'a' }, { pix: 'bank', boleto: 'main' }],
    [
      'an entry of the source',
      { ...general, 'outlet/pix': 'own' },
      { pix: 'own', card: 'acquirer', boleto: 'main' },
    ],
    [
      'a default of the source, which goes before entries of all sources',
      { ...general, 'outlet/pix': 'own', 'outlet/default': 'rest' },
      { pix: 'own', card: 'rest', boleto: 'rest' },
    ],
    ['entries of the source alone', { 'outlet/pix': 'own' }, { pix: 'own', card: undefined }],
    ['a key that begins as the slug of the source', { ...general, 'outlet-pix': 'a' }, { pix: 'bank' }],
  ])('has %s', (_what, entries, expected) => {
    const lookup = LookupTable.of('t', entries).lookup('outlet');
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, lookup.get(key)]))).toEqual(expected);
  });
});

describe('a rule', () => {
  // The same map for all events, as the organization's tables are.
  const gatewayAccount = LookupTable.of('gatewayAccount', { a: '1', 'outlet/a': '2', default: '3' });
  const context = { ...CONTEXT, tables: new Map([[gatewayAccount.name, gatewayAccount]]) };

  function nameFor(event: Parameters<typeof planRule>[1]): unknown {
    const rule = compiled(ruleNaming('${tables.gatewayAccount["a"]}', event.type));
    const outcome = planRule(rule, event, context);
    return outcome.matched && 'plan' in outcome && outcome.plan.steps[0]?.effects[0]?.input;
  }

  it.each([
    ['shop', '1'],
    ['outlet', '2'],
    ['another', '1'],
  ])('reads the entries of the source that said the event: %s', (source, expected) => {
    expect(nameFor(paidOrder({ source, key: `${source}/order/1` }))).toMatchObject({ name: expected });
    const customer = { ...updatedCustomer().customer, key: `${source}/customer/7` };
    expect(nameFor({ ...updatedCustomer(), key: customer.key, customer })).toMatchObject({ name: expected });
  });
});

describe('keys for a source that there is not', () => {
  const warningsOf = (...keys: string[]): string[] =>
    LookupTable.of('t', Object.fromEntries(keys.map((key) => [key, 'v']))).warnings(
      new Set(['outlet', 'acquirer']),
    );

  it.each<[string, string[], string[]]>([
    [
      'a default, which any source may have',
      ['loja/default'],
      ['key "loja/default": there is no source "loja"; there are outlet, acquirer'],
    ],
    [
      'a key that the table has of all sources',
      ['pix', 'loja/pix'],
      ['key "loja/pix": there is no source "loja"; there are outlet, acquirer'],
    ],
    [
      'a key that the table has of a source that is there',
      ['outlet/cost-center', 'loja/cost-center'],
      ['key "loja/cost-center": there is no source "loja"; there are outlet, acquirer'],
    ],
    [
      'a slug that is nearly that of a source, once for all its keys',
      ['outlt/a', 'outlt/b', 'outlt/c/d'],
      ['keys "outlt/a" and 2 more: there is no source "outlt"; did you mean "outlet"?'],
    ],
  ])('are told: %s', (_which, keys, warnings) => {
    expect(warningsOf(...keys)).toEqual(warnings);
  });

  it.each<[string, string[]]>([
    ['those of sources that are there', ['pix', 'outlet/pix', 'outlet/default']],
    ['a key with a slash of its own', ['pix', 'visa/master', 'USD/BRL 2026-11', 'Visa/pix', '/pix', 'pix/']],
    ['a slash in a key of a source', ['outlet/visa/master', 'visa/master']],
  ])('are not: %s', (_which, keys) => {
    expect(warningsOf(...keys)).toEqual([]);
  });
});
