/** A valid CPF for each whole number from 1, with its check digits worked out. For tests alone. */
export function cpfNumber(index: number): string {
  const base = String(100_000_000 + index).slice(0, 9);
  const first = checkDigit(base);
  return `${base}${first}${checkDigit(`${base}${first}`)}`;
}

function checkDigit(digits: string): number {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (digits.length + 1 - index),
    0,
  );
  const rest = (sum * 10) % 11;
  return rest === 10 ? 0 : rest;
}
