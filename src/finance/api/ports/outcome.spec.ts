import { called } from './outcome';

describe('how a record that is not there is named', () => {
  it.each(['1.1.01', 'main', 'pagbank-account', '0042', 'loja/2'])('by its code %s', (code) => {
    expect(called('account', code)).toBe(`no account ${code}`);
  });

  it.each([
    '0197a5b0-0000-7000-8000-000000000000',
    'Ana Souza',
    'João',
    'ana@example.com',
    '529.982.247-25',
    '12345678900',
    '12.ABC.345/01DE-35',
    'x'.repeat(61),
  ])('not by %s', (code) => {
    expect(called('account', code)).toBe('no such account');
  });
});
