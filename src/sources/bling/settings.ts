import { listSetting, sharedSettings, textSetting } from '../settings';
import type { SettingProblem, SettingSpec, Settings } from '../source';

const COMPANY = /^[A-Za-z0-9-]{1,64}$/;
const NUMBER = /^\d{1,20}$/;

/** Bling's own situation Cancelado. */
const CANCELLED = '12';
/** Bling's own situations Venda agenciada (sold for somebody else) and Em digitação (not finished yet). */
const LEFT_OUT = '18,21';

export const BLING_SETTINGS = {
  storeId: {
    type: 'string',
    description:
      'Identifier of the company at Bling: companyId in its notifications. Notifications of another company are set aside.',
    required: true,
  },
  paidSituations: {
    type: 'string',
    description:
      'Numbers of the situations, separated by commas, in which an order of this company is paid: all of its money is there. Without them no order is ever paid.',
  },
  cancelledSituations: {
    type: 'string',
    description: 'Numbers of the situations in which an order is cancelled, separated by commas.',
    default: CANCELLED,
  },
  leftOutSituations: {
    type: 'string',
    description:
      'Numbers of the situations in which an order is no sale of the company, or not yet, separated by commas: it is set aside.',
    default: LEFT_OUT,
  },
  leftOutChannels: {
    type: 'string',
    description:
      'Numbers of sales channels (canais de venda, the loja of an order), separated by commas, whose orders are set aside because the shop is a source of Ponte itself.',
  },
  ...sharedSettings('apiUrl', 'timeZone'),
} as const satisfies Record<string, SettingSpec>;

/** The company whose notifications the source takes; undefined when none is set. */
export function companyOf(settings: Settings): string | undefined {
  return textSetting(settings, 'storeId');
}

/** What a company's situations mean, by their numbers, and which sales channels are left out. */
export interface Meanings {
  readonly paid: readonly string[];
  readonly cancelled: readonly string[];
  readonly leftOut: readonly string[];
  readonly leftOutChannels: readonly string[];
}

export function meaningsOf(settings: Settings): Meanings {
  return {
    paid: listSetting(settings, 'paidSituations'),
    cancelled: listSetting(settings, 'cancelledSituations', CANCELLED),
    leftOut: listSetting(settings, 'leftOutSituations', LEFT_OUT),
    leftOutChannels: listSetting(settings, 'leftOutChannels'),
  };
}

/** What is wrong with settings that are each a text. */
export function checkBlingSettings(settings: Settings): SettingProblem | undefined {
  if (!COMPANY.test(companyOf(settings) ?? ''))
    return { name: 'storeId', message: 'must be the companyId of a notification: letters and digits alone' };
  const { paid, cancelled, leftOut, leftOutChannels } = meaningsOf(settings);
  const lists = {
    paidSituations: paid,
    cancelledSituations: cancelled,
    leftOutSituations: leftOut,
    leftOutChannels,
  };
  for (const [name, numbers] of Object.entries(lists))
    if (!numbers.every((number) => NUMBER.test(number)))
      return { name, message: 'must be numbers, separated by commas' };
  const situations = [...cancelled, ...leftOut];
  if (paid.some((number) => situations.includes(number)))
    return { name: 'paidSituations', message: 'must not name a situation that another setting names' };
  return cancelled.some((number) => leftOut.includes(number))
    ? { name: 'cancelledSituations', message: 'must not name a situation that leftOutSituations names' }
    : undefined;
}
