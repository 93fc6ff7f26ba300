import { Money, MoneyError } from '../../kernel/money';

/** Why a text is no percentage, as a sentence; undefined when it is one. */
export function percentageProblem(text: string): string | undefined {
  return problemOf(() => Money.zero('BRL').percent(text, 'down'));
}

/** Why no amount can be converted at this rate, as a sentence; undefined when it can. */
export function rateProblem(text: string): string | undefined {
  return problemOf(() => Money.zero('BRL').convert(text, 'BRL', 'down'));
}

function problemOf(reckon: () => Money): string | undefined {
  try {
    reckon();
    return undefined;
  } catch (error) {
    if (error instanceof MoneyError) return error.message;
    throw error;
  }
}
