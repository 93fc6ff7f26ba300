import { Money, MoneyError } from '../kernel/money';
import { didYouMean, nearestName } from '../kernel/nearest';
import { hasUnprintable } from '../kernel/text';
import { percentageProblem } from './cel/rates';
import { RuleRefusal } from './cel/refusal';
import { SettingsValue } from './cel/scope';

/** What a setting can hold, as a rule names it. */
export const SETTING_TYPES = ['text', 'bool', 'int', 'Money', 'percentage', 'choice'] as const;
export type SettingType = (typeof SETTING_TYPES)[number];

/** The type that expressions see. A percentage is the text that `percent` takes. */
export const CEL_TYPES: Readonly<Record<SettingType, string>> = {
  text: 'string',
  bool: 'bool',
  int: 'int',
  Money: 'Money',
  percentage: 'string',
  choice: 'string',
};

/** Something that an organization can set on a rule, as the rule declares it. */
export interface RuleSetting {
  readonly name: string;
  readonly type: SettingType;
  /** What to choose from; of a `choice` alone. */
  readonly of?: readonly string[];
  /** What holds where the organization sets nothing. */
  readonly default: string;
  readonly description: string;
}

/** What an organization has set, by the names of the settings; as text, whatever the type. */
export type SettingTexts = Readonly<Record<string, string>>;

export const MAX_SETTING_TEXT = 500;
/** As the language has whole numbers. */
const INT = /^-?\d{1,18}$/;
/** Widest of all currencies: what does not fit its three decimals fits none. */
const WIDEST_CURRENCY = 'KWD';

/**
 * Why a setting cannot have this value, as a sentence; undefined when it can.
 * @param currency the organization's; absent: an amount may have as many decimals as any currency has
 */
export function settingProblem(
  { type, of }: Pick<RuleSetting, 'type' | 'of'>,
  value: string,
  currency = WIDEST_CURRENCY,
): string | undefined {
  switch (type) {
    case 'text':
      return textProblem(value);
    case 'bool':
      return value === 'true' || value === 'false' ? undefined : 'it is true or false';
    case 'int':
      return INT.test(value) ? undefined : 'it is a whole number such as 3';
    case 'Money':
      return amountProblem(value, currency);
    case 'percentage':
      return percentageProblem(value);
    case 'choice':
      return of?.includes(value) ? undefined : `it is ${of?.join(' or ')}`;
  }
}

/** Why texts cannot be set on a rule, for each that cannot. @param currency the organization's */
export function settingsProblems(
  declared: readonly RuleSetting[],
  texts: SettingTexts,
  currency: string,
): { name: string; message: string }[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const setting = declared.find((each) => each.name === name);
    const message = setting ? settingProblem(setting, text, currency) : undeclared(declared, name);
    return message === undefined ? [] : [{ name, message }];
  });
}

function undeclared(declared: readonly RuleSetting[], name: string): string {
  const names = declared.map((each) => each.name);
  return `the rule declares no such setting${didYouMean(nearestName(name, names))}`;
}

function textProblem(value: string): string | undefined {
  if (value.length > MAX_SETTING_TEXT) return `it has at most ${MAX_SETTING_TEXT} characters`;
  return hasUnprintable(value) ? 'it holds a character that cannot be printed' : undefined;
}

function amountProblem(value: string, currency: string): string | undefined {
  try {
    Money.parse(value, currency);
    return undefined;
  } catch (error) {
    if (error instanceof MoneyError) return `it is an amount such as 10.00: ${error.message}`;
    throw error;
  }
}

/**
 * The value of `settings` in expressions, made once for each currency, of which an organization has one.
 * @param texts what is set; what fits no setting has been refused before
 */
export function settingsReader(
  settings: readonly RuleSetting[],
  texts: SettingTexts,
): (currency: string) => SettingsValue {
  let last: { currency: string; value: SettingsValue } | undefined;
  return (currency) => {
    if (last?.currency === currency) return last.value;
    const entries = settings.map((setting): [string, unknown] => {
      const text = ownText(texts, setting.name) ?? setting.default;
      return [setting.name, valueOf(setting, text, currency)];
    });
    last = { currency, value: new SettingsValue(entries) };
    return last.value;
  };
}

/** What is set under a name; undefined: nothing. */
export function ownText(texts: SettingTexts, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

function valueOf({ name, type }: RuleSetting, text: string, currency: string): unknown {
  switch (type) {
    case 'bool':
      return text === 'true';
    case 'int':
      return BigInt(text);
    case 'Money':
      return amountOf(name, text, currency);
    default:
      return text;
  }
}

function amountOf(name: string, text: string, currency: string): Money {
  try {
    return Money.parse(text, currency);
  } catch (error) {
    if (error instanceof MoneyError) throw new RuleRefusal(`settings.${name}: ${error.message}`);
    throw error;
  }
}
