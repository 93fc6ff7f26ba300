import { sharedSettings, textSetting } from '../settings';
import type { SettingProblem, SettingSpec, Settings } from '../source';

/** Where E-Com Plus shows the token, unless its webhook names another header. */
export const AUTHORIZATION = 'authorization';
const STORE_ID = /^\d{1,10}$/;
const HEADER = /^[a-z0-9-]{1,60}$/;

export const ECOMPLUS_SETTINGS = {
  storeId: {
    type: 'string',
    description:
      'Number of the store at E-Com Plus, as its panel shows it. Notifications of another store are refused.',
    required: true,
  },
  secretHeader: {
    type: 'string',
    description:
      'Name of the header that has the token, where the webhook names one (Parâmetro no header); Authorization, after Bearer, when not set.',
  },
  ...sharedSettings('apiUrl', 'timeZone'),
} as const satisfies Record<string, SettingSpec>;

/** The number of the store; undefined when none is set, or none that a store could have. */
export function storeIdOf(settings: Settings): string | undefined {
  const id = textSetting(settings, 'storeId');
  return id !== undefined && STORE_ID.test(id) ? id : undefined;
}

/** The header that has the token, in lower case; undefined: `Authorization`, after `Bearer`. */
export function secretHeaderOf(settings: Settings): string | undefined {
  const header = textSetting(settings, 'secretHeader')?.toLowerCase();
  return header === AUTHORIZATION ? undefined : header;
}

/** What is wrong with settings that are each a text. */
export function checkEcomPlusSettings(settings: Settings): SettingProblem | undefined {
  if (storeIdOf(settings) === undefined)
    return { name: 'storeId', message: 'must be the number of a store: digits alone' };
  return HEADER.test(secretHeaderOf(settings) ?? AUTHORIZATION)
    ? undefined
    : { name: 'secretHeader', message: 'must be the name of a header: letters, digits and hyphens alone' };
}
