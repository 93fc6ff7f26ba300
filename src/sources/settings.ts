import type { SettingSpec, Settings } from './source';

/** After how many hours of quiet a source is silent. */
export const SILENT_AFTER_HOURS = 'silentAfterHours';

/** Settings that every source has, whatever its provider. */
export const COMMON_SETTINGS = {
  [SILENT_AFTER_HOURS]: {
    type: 'number',
    description:
      'After how many hours without a webhook the source is shown as silent; 0: never. Not set: Ponte learns what is usual.',
  },
} as const satisfies Record<string, SettingSpec>;

/** Settings that mean the same on every source that has them. */
export const SHARED_SETTINGS = {
  timeZone: {
    type: 'string',
    description:
      "IANA time zone of dates that come without one, for example America/Sao_Paulo; the organization's when not set.",
    format: 'time-zone',
  },
  bookTestOrders: {
    type: 'boolean',
    description: 'Treats test orders as real ones. For trying a connection out; leave it off in production.',
    default: false,
  },
  withoutSales: {
    type: 'boolean',
    description: 'Sales and refunds are left to the shop, which is a source too.',
    default: false,
  },
  apiUrl: {
    type: 'string',
    description:
      "Address of the provider's API where it is another than usual, as of a sandbox; https, without a path's last slash.",
    format: 'web-address',
  },
  documentField: {
    type: 'string',
    description:
      "Name of the shop's own field that holds the customer's CPF or CNPJ, when it is an unusual one.",
  },
  instalmentsField: {
    type: 'string',
    description:
      "Name of the shop's own field that holds the number of instalments, when it is an unusual one.",
  },
} as const satisfies Record<string, SettingSpec>;

/** Those of {@link SHARED_SETTINGS} with these names, in this order. */
export function sharedSettings(
  ...names: readonly (keyof typeof SHARED_SETTINGS)[]
): Readonly<Record<string, SettingSpec>> {
  return Object.fromEntries(names.map((name) => [name, SHARED_SETTINGS[name]]));
}

/** A text setting; undefined when it is not set or blank. */
export function textSetting(settings: Settings, name: string): string | undefined {
  const value = settings[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The parts of a text setting that names several, separated by commas. @param usual where it is not set */
export function listSetting(settings: Settings, name: string, usual = ''): string[] {
  const parts = (textSetting(settings, name) ?? usual).split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** Address of a provider's API, without a slash at its end. @param usual where the source's setting `apiUrl` names none */
export function apiUrlOf(settings: Settings, usual: string): string {
  return (textSetting(settings, 'apiUrl') ?? usual).replace(/\/+$/, '');
}

/** Whether sales and refunds are left to the shop, which sends webhooks itself. */
export function isWithoutSales(settings: Settings): boolean {
  return flagSetting(settings, 'withoutSales');
}

/** A yes-or-no setting; no when it is not set. */
export function flagSetting(settings: Settings, name: string): boolean {
  return settings[name] === true;
}
