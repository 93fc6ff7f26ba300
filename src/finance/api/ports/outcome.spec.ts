import { called } from './outcome';

describe('how a record that is not there is named', () => {
  it.each(['1.1.01', 'main', 'pagbank-account', '0042', 'loja/2'])('by its code %s', (code) => {
    expect(called('category', code)).toBe(`no category ${code}`);
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
    expect(called('category', code)).toBe('no such category');
  });

  it('and says how an account is named that has no code', () => {
    const how = 'one without a code is named by its UUID';
    expect(called('account', 'Stone')).toBe(`no account with the code Stone: ${how}`);
    expect(called('account', 'Banco Loja')).toBe(`no account with such a code: ${how}`);
    expect(called('account', '0197a5b0-0000-7000-8000-000000000000')).toBe('no such account');
  });
});
