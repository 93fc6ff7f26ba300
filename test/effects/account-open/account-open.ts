import { changed, type EffectDeclaration } from '../../../src/finance/api/effects/declaration';
import { readRequired } from '../../../src/finance/api/effects/effect-input';

/** Of an effect that only the tests have: an account without money is opened. */
export interface AccountOpenInput {
  name: string;
}

export const accountOpen: EffectDeclaration<AccountOpenInput> = {
  differences: (before, now) => changed('name', before.name, now.name),
};

/** The account's name. @throws Problem */
export function readName({ name }: AccountOpenInput): string {
  return readRequired("account's name", name);
}
