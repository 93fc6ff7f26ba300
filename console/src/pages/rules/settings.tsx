import { useState } from 'preact/hooks';
import type { RuleSettingsView, RuleSettingView } from '../../../../src/admin/rules/rule-settings.dto';
import { ApiProblem, write } from '../../api';
import { useLoaded } from '../../loaded';
import { useAdminPath, useOrganization } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Button, Field, Nothing, WhenLoaded } from '../../ui/basics';

const T = texts(
  {
    intro:
      'What the rule lets you set, without another version of it. It holds for what is worked on from then on.',
    none: 'This rule has no settings.',
    text: 'text',
    bool: 'yes or no',
    int: 'whole number',
    Money: (currency: string) => `amount in ${currency}, such as 10.00`,
    percentage: 'percentage, such as 4.99',
    choice: 'one of a list',
    yes: 'yes',
    no: 'no',
    default: (value: string) => `Without a value of your own: ${value}`,
    nothing: 'nothing',
    reset: 'Back to it',
    save: 'Save the settings',
    saved: 'The settings hold from now on.',
    discard: 'Discard the changes',
    becomes: (name: string, before: string, after: string) => `${name}: ${before} becomes ${after}`,
    undeclared: (names: string) =>
      `Set, and without effect, as the version in force does not know it: ${names}. Saving removes it.`,
    same: 'Nothing is changed.',
  },
  {
    intro:
      'O que a regra deixa ajustar, sem outra versão dela. Vale para o que for processado a partir de então.',
    none: 'Esta regra não tem ajustes.',
    text: 'texto',
    bool: 'sim ou não',
    int: 'número inteiro',
    Money: (currency: string) => `valor em ${currency}, como 10.00`,
    percentage: 'percentual, como 4.99',
    choice: 'um de uma lista',
    yes: 'sim',
    no: 'não',
    default: (value: string) => `Sem valor próprio: ${value}`,
    nothing: 'nada',
    reset: 'Voltar a ele',
    save: 'Salvar os ajustes',
    saved: 'Os ajustes valem a partir de agora.',
    discard: 'Descartar as alterações',
    becomes: (name: string, before: string, after: string) => `${name}: ${before} passa a ${after}`,
    undeclared: (names: string) =>
      `Ajustado e sem efeito, pois a versão em vigor não o conhece: ${names}. Salvar o remove.`,
    same: 'Nada foi alterado.',
  },
);

/** What the organization can set on a rule. */
export function RuleSettings({ name }: { name: string }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const loaded = useLoaded<RuleSettingsView>(path('rules', name, 'settings'));
  return (
    <WhenLoaded of={loaded}>
      {(view) =>
        view.settings.length === 0 && view.undeclared.length === 0 ? (
          <Nothing>{t.none}</Nothing>
        ) : (
          <SettingsForm key={JSON.stringify(view)} view={view} onSaved={loaded.reload} />
        )
      }
    </WhenLoaded>
  );
}

function SettingsForm({ view, onSaved }: { view: RuleSettingsView; onSaved: () => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const stored = new Map(view.settings.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value]));
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(stored);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const set = (name: string, value: string | undefined): void => {
    const next = new Map(own);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    setOwn(next);
  };
  const changed = view.settings.filter(({ name }) => own.get(name) !== stored.get(name));
  const save = async (reason: string): Promise<void> => {
    setProblems(new Map());
    try {
      const settings = Object.fromEntries(own);
      await write('PUT', path('rules', view.rule, 'settings'), { settings, reason });
    } catch (failure) {
      if (failure instanceof ApiProblem) setProblems(problemsOf(failure));
      throw failure;
    }
  };
  const said = useSaid();
  return (
    <>
      <p>{t.intro}</p>
      {view.undeclared.length > 0 && <p class="notice">{t.undeclared(view.undeclared.join(', '))}</p>}
      <form class="settings-form" onSubmit={(event) => event.preventDefault()}>
        {view.settings.map((setting) => (
          <Setting
            key={setting.name}
            setting={setting}
            value={own.get(setting.name) ?? setting.default}
            problem={problems.get(setting.name)}
            onChange={(value) => set(setting.name, value)}
            onReset={own.has(setting.name) ? () => set(setting.name, undefined) : undefined}
          />
        ))}
      </form>
      {changed.length === 0 && view.undeclared.length === 0 ? (
        <p class="quiet">{t.same}</p>
      ) : (
        <div class="actions">
          <Act label={t.save} kind="main" done={t.saved} act={save} onDone={onSaved}>
            <ul>
              {changed.map(({ name, type, default: standard }) => (
                <li key={name}>
                  {t.becomes(
                    name,
                    said(type, stored.get(name) ?? standard),
                    said(type, own.get(name) ?? standard),
                  )}
                </li>
              ))}
            </ul>
          </Act>
          <Button onClick={() => setOwn(stored)}>{t.discard}</Button>
        </div>
      )}
    </>
  );
}

function Setting({
  setting: { name, type, of, description, default: standard },
  value,
  problem,
  onChange,
  onReset,
}: {
  setting: RuleSettingView;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
  /** Undefined: it has its default. */
  onReset: (() => void) | undefined;
}) {
  const t = useTexts(T);
  const { currency } = useOrganization();
  const said = useSaid();
  const kind = type === 'Money' ? t.Money(currency) : t[type];
  const words = type === 'bool' ? ['true', 'false'] : (of ?? []);
  return (
    <Field
      label={`${name} (${kind})`}
      hint={`${description} – ${t.default(said(type, standard))}`}
      error={problem}
    >
      {(given) => (
        <div class="setting">
          {type === 'bool' || type === 'choice' ? (
            <select {...given} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
              {words.map((word) => (
                <option key={word} value={word}>
                  {said(type, word)}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...given}
              value={value}
              maxLength={500}
              inputMode={type === 'text' ? 'text' : type === 'int' ? 'numeric' : 'decimal'}
              autoComplete="off"
              onInput={({ currentTarget }) => onChange(currentTarget.value)}
            />
          )}
          {onReset && (
            <Button onClick={onReset} aria-label={`${t.reset}: ${name}`}>
              {t.reset}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

/** Says a setting's value in words. */
function useSaid(): (type: RuleSettingView['type'], value: string) => string {
  const t = useTexts(T);
  return (type, value) => {
    if (type === 'bool') return value === 'true' ? t.yes : t.no;
    return value === '' ? t.nothing : value;
  };
}

function problemsOf({ problem }: ApiProblem): Map<string, string> {
  return new Map(
    (problem.errors ?? []).flatMap(({ pointer = '', detail, message }) => {
      const name = pointer.replace(/^\/settings\//, '');
      return name === pointer ? [] : [[name, detail ?? message ?? '']];
    }),
  );
}
