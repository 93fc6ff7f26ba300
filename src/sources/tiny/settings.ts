import { TaxId } from '../../kernel/tax-id';
import { listSetting, sharedSettings, textSetting } from '../settings';
import type { SettingProblem, SettingSpec, Settings } from '../source';

export const TINY_SETTINGS = {
  cnpj: {
    type: 'string',
    description: 'CNPJ, or CPF, of the Tiny account. Notifications of another account are refused.',
    required: true,
  },
  paidSituations: {
    type: 'string',
    description:
      'Situations, separated by commas, in which an order of this company is paid: all of its money is there. Without them no order is ever paid.',
  },
  leftOutChannels: {
    type: 'string',
    description:
      'Names or numbers of e-commerces (ecommerce of an order), separated by commas, whose orders are set aside because the shop is a source of Ponte itself.',
  },
  ...sharedSettings('apiUrl', 'timeZone'),
} as const satisfies Record<string, SettingSpec>;

/** A CNPJ or CPF without its punctuation; letters stay, for a CNPJ may have some. */
export function bareDocument(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
}

/** The account's CNPJ or CPF without its punctuation; undefined when none is set. */
export function accountOf(settings: Settings): string | undefined {
  const document = textSetting(settings, 'cnpj');
  return document === undefined ? undefined : bareDocument(document);
}

/** The situations in which the company says that an order is paid, each in one spelling. */
export function paidSituationsOf(settings: Settings): string[] {
  return listSetting(settings, 'paidSituations').map(plain);
}

/** The e-commerces whose orders are left out, in lower case. */
export function leftOutChannelsOf(settings: Settings): string[] {
  return listSetting(settings, 'leftOutChannels').map((name) => name.toLowerCase());
}

/** What is wrong with settings that are each a text. */
export function checkTinySettings(settings: Settings): SettingProblem | undefined {
  if (!TaxId.isValid(accountOf(settings) ?? '')) return { name: 'cnpj', message: 'must be a CNPJ or CPF' };
  const paid = listSetting(settings, 'paidSituations');
  if (!paid.every(isKnown))
    return {
      name: 'paidSituations',
      message: 'must be situations of Tiny, as Aprovado, separated by commas',
    };
  return paid.some((situation) => isCancelled(situation) || isDraft(situation))
    ? { name: 'paidSituations', message: 'must not name a situation in which no order is paid' }
    : undefined;
}

/** Longest name of a situation that is read, in UTF-16 units. */
const LONGEST = 60;
/** What Tiny calls the situations of an order, and the codes by which its API names some of them. */
const KNOWN = [
  ...['Dados incompletos', 'Em aberto', 'Aprovado', 'Preparando envio', 'Faturado', 'Pronto para envio'],
  ...['Enviado', 'Entregue', 'Não entregue', 'Cancelado', 'aberto', 'pronto_envio'],
].map(plain);

/** One spelling for `Não entregue` and `nao_entregue`; empty for what is no situation. */
export function plain(situation: string): string {
  if (situation.length > LONGEST) return '';
  return situation
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

/** Whether Tiny has a situation of this name. */
function isKnown(situation: string): boolean {
  return KNOWN.includes(plain(situation));
}

export function isCancelled(situation: string): boolean {
  return plain(situation) === 'cancelado';
}

/** Whether somebody is still writing the order. */
export function isDraft(situation: string): boolean {
  return plain(situation) === 'dadosincompletos';
}
