import type { Buyer } from './facts';

const FIRST = ['Ana', 'Bruno', 'Clara', 'Davi', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Iara', 'Jonas'];
const LAST = ['Almeida', 'Barros', 'Cardoso', 'Duarte', 'Esteves', 'Farias'];

/** Made-up people with valid CPFs, who buy in any of the shops. */
export function makeBuyers(): Buyer[] {
  return LAST.flatMap((last, row) =>
    FIRST.map((first, column) => {
      const id = 1 + row * FIRST.length + column;
      return { id, name: `${first} ${last}`, document: cpfOf(id), email: `comprador${id}@example.com` };
    }),
  );
}

function cpfOf(id: number): string {
  const base = String(310_000_000 + id * 7_919);
  const first = checkDigit(base);
  return `${base}${first}${checkDigit(`${base}${first}`)}`;
}

function checkDigit(digits: string): number {
  const total = [...digits].reduce((sum, digit, at) => sum + Number(digit) * (digits.length + 1 - at), 0);
  return ((total * 10) % 11) % 10;
}
