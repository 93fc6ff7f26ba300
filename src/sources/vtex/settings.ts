import { sharedSettings, textSetting } from '../settings';
import type { SettingProblem, SettingSpec, Settings } from '../source';

const ACCOUNT = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const HEADER = /^[a-z0-9-]{1,60}$/;
/** The header that shows the secret, unless the source's settings name another. */
export const DEFAULT_HEADER = 'x-ponte-key';
/** The number that every account has for itself as a seller. */
const OWN_SELLER = '1';

export const VTEX_SETTINGS = {
  account: {
    type: 'string',
    description:
      'Name of the VTEX account, as in the address of its panel: lojaipe in lojaipe.myvtex.com. Notifications of another account are refused.',
    required: true,
  },
  secretHeader: {
    type: 'string',
    description: 'Name of the header that the hook was configured with, whose value is the secret.',
    default: DEFAULT_HEADER,
  },
  ownSellers: {
    type: 'string',
    description:
      'Identifiers of the sellers that are this company, separated by commas: franchises and white-label sellers of its own. An order that another seller delivers asks for a person, because a part of the money is the seller’s.',
    default: OWN_SELLER,
  },
  ...sharedSettings('apiUrl', 'timeZone'),
} as const satisfies Record<string, SettingSpec>;

/** The account in lower case; undefined when none is set, or none that VTEX could have. */
export function accountOf(settings: Settings): string | undefined {
  const account = textSetting(settings, 'account')?.toLowerCase();
  return account !== undefined && ACCOUNT.test(account) ? account : undefined;
}

/** Name of the header that shows the secret, in lower case. */
export function secretHeaderOf(settings: Settings): string {
  return textSetting(settings, 'secretHeader')?.toLowerCase() ?? DEFAULT_HEADER;
}

/** Identifiers of the sellers that are the company itself. */
export function ownSellersOf(settings: Settings): string[] {
  return (textSetting(settings, 'ownSellers') ?? OWN_SELLER).split(',').map((id) => id.trim());
}

/** What is wrong with settings that are each a text. */
export function checkVtexSettings(settings: Settings): SettingProblem | undefined {
  if (accountOf(settings) === undefined)
    return {
      name: 'account',
      message: 'must be the name of a VTEX account: letters, digits and hyphens alone',
    };
  return HEADER.test(secretHeaderOf(settings))
    ? undefined
    : { name: 'secretHeader', message: 'must be the name of a header: letters, digits and hyphens alone' };
}
