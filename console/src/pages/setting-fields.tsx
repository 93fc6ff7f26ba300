import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ProviderView, SettingView } from '../../../src/admin/sources/providers.dto';
import { ApiProblem } from '../api';
import { texts, useTexts, wordOf } from '../texts';
import { Field } from '../ui/basics';
import { Described } from './described';
import { SETTING_NAMES } from './setting-names';

const T = texts(
  {
    needed: 'needed',
    called: 'Named in the steps as',
    timeZone: "For example America/Sao_Paulo; the organization's when it is empty.",
    bookTestOrders: 'For trying a connection out. Leave it off in production.',
    documentField: 'Only where it is an unusual one.',
    instalmentsField: 'Only where it is an unusual one.',
    silentAfterHours: 'Empty: Ponte learns what is usual. 0: never.',
  },
  {
    needed: 'obrigatório',
    called: 'Nos passos se chama',
    timeZone: 'Por exemplo America/Sao_Paulo; vazio: o da organização.',
    bookTestOrders: 'Para experimentar uma conexão. Deixe desligado em produção.',
    documentField: 'Só quando não é um dos habituais.',
    instalmentsField: 'Só quando não é um dos habituais.',
    silentAfterHours: 'Vazio: o Ponte aprende o que é habitual. 0: nunca.',
  },
);
/** Settings that mean the same of every provider: what is said of them is said in the reader's language. */
const SHARED: ReadonlySet<string> = new Set([
  ...['timeZone', 'bookTestOrders', 'documentField', 'instalmentsField', 'silentAfterHours'],
]);

/** What is entered, by the setting's name: text (of numbers, too), or whether it is ticked. */
export type SettingValues = Readonly<Record<string, string | boolean>>;

/** What is entered at first. @param settings as the source has them */
export function valuesOf(provider: ProviderView, settings: Readonly<Record<string, unknown>>): SettingValues {
  return Object.fromEntries(
    Object.entries(provider.settings).map(([name, { type, default: usual }]): [string, string | boolean] => {
      const value = settings[name];
      if (type === 'boolean') return [name, typeof value === 'boolean' ? value : usual === true];
      return [name, typeof value === 'string' || typeof value === 'number' ? String(value) : ''];
    }),
  );
}

/** The settings as the API takes them: what is empty or as usual is left out. */
export function settingsOf(provider: ProviderView, values: SettingValues): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(provider.settings).flatMap(([name, { type, default: usual }]): [string, unknown][] => {
      const value = values[name];
      if (typeof value === 'boolean') return value === (usual === true) ? [] : [[name, value]];
      const text = value?.trim() ?? '';
      if (text === '') return [];
      return [[name, type === 'number' ? Number(text) : text]];
    }),
  );
}

/** What the API says of one field of a body. @param pointer such as `/settings/apiUrl` */
export function errorAt(error: Error | undefined, pointer: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.problem.errors?.find((one) => one.pointer === pointer);
  return found?.message ?? found?.detail;
}

/** A form's fields for the settings of a source, made of what its provider says of them. */
export function SettingFields({
  provider,
  values,
  onChange,
  error,
}: {
  provider: ProviderView;
  values: SettingValues;
  onChange: (values: SettingValues) => void;
  error: Error | undefined;
}) {
  const names = Object.keys(provider.settings);
  // What is needed comes first.
  const sorted = [
    ...names.filter((name) => provider.settings[name]?.required),
    ...names.filter((name) => !provider.settings[name]?.required),
  ];
  return (
    <>
      {sorted.map((name) => {
        const setting = provider.settings[name];
        return (
          setting && (
            <SettingField
              key={name}
              {...{ name, setting, value: values[name] ?? '' }}
              onChange={(value) => onChange({ ...values, [name]: value })}
              error={errorAt(error, `/settings/${name}`)}
            />
          )
        );
      })}
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function SettingField({
  name,
  setting: { type, required, format, description, default: usual },
  value,
  onChange,
  error,
}: {
  name: string;
  setting: SettingView;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
  error: string | undefined;
}) {
  const t = useTexts(T);
  const title = wordOf(useTexts(SETTING_NAMES), name);
  const text = SHARED.has(name) ? wordOf(t, name) : <Described text={description} />;
  const hint = (
    <>
      {text} {t.called} <code>{name}</code>.
    </>
  );
  if (typeof value === 'boolean')
    return <Tick {...{ title, hint, error }} isTicked={value} onChange={onChange} />;
  return (
    <Field label={required ? `${title} (${t.needed})` : title} hint={hint} error={error}>
      {(given) => (
        <input
          {...given}
          {...(format === 'time-zone' && { list: 'time-zones' })}
          type={type === 'number' ? 'number' : format === 'web-address' ? 'url' : 'text'}
          {...(type === 'number' && { step: 'any' })}
          value={value}
          required={required}
          maxLength={500}
          placeholder={usual === undefined ? undefined : String(usual)}
          autoComplete="off"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A box to be ticked, with its name beside it. */
function Tick({
  title,
  hint,
  error,
  isTicked,
  onChange,
}: {
  title: string;
  hint: ComponentChildren;
  error: string | undefined;
  isTicked: boolean;
  onChange: (isTicked: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label class="tick">
        <input
          type="checkbox"
          checked={isTicked}
          aria-describedby={`${id}-hint ${id}-error`}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {title}
      </label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="error" id={`${id}-error`}>
        {error}
      </p>
    </div>
  );
}
