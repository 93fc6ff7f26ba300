import { write } from '../../api';
import { useAdminPath } from '../../session';
import { texts, useTexts } from '../../texts';
import { Act } from '../../ui/act';
import { Badge } from '../../ui/basics';
import { useEventWords } from './words';

const T = texts(
  {
    enable: 'Enable',
    disable: 'Disable',
    enableTitle: (name: string) => `Enable the rule ${name}`,
    disableTitle: (name: string) => `Disable the rule ${name}`,
    enables:
      'From now on it acts on what arrives. What arrived before stays as it is: trying it on a period says what is missing.',
    disables:
      'From now on it acts on nothing that arrives. What it has booked stays, and so do all its versions.',
    enabled: (name: string) => `The rule ${name} acts from now on.`,
    disabled: (name: string) => `The rule ${name} acts no more.`,
    on: 'enabled',
    off: 'disabled',
    when: (event: string) => `When ${event}`,
    unknown: 'This version of Ponte cannot tell on what it acts',
  },
  {
    enable: 'Ativar',
    disable: 'Desativar',
    enableTitle: (name: string) => `Ativar a regra ${name}`,
    disableTitle: (name: string) => `Desativar a regra ${name}`,
    enables:
      'A partir de agora ela age sobre o que chegar. O que chegou antes fica como está: testá-la em um período diz o que falta.',
    disables:
      'A partir de agora ela não age sobre nada que chegar. O que ela lançou fica, assim como todas as suas versões.',
    enabled: (name: string) => `A regra ${name} age a partir de agora.`,
    disabled: (name: string) => `A regra ${name} não age mais.`,
    on: 'ativa',
    off: 'inativa',
    when: (event: string) => `Quando ${event}`,
    unknown: 'Esta versão do Ponte não sabe sobre o que ela age',
  },
);

/** Puts a rule in or out of force, with a reason. */
export function RuleSwitch({
  rule: { name, enabled },
  onDone,
}: {
  rule: { name: string; enabled: boolean };
  onDone: () => void;
}) {
  const t = useTexts(T);
  const path = useAdminPath();
  return (
    <Act
      key={String(enabled)}
      label={enabled ? t.disable : t.enable}
      title={enabled ? t.disableTitle(name) : t.enableTitle(name)}
      done={enabled ? t.disabled(name) : t.enabled(name)}
      act={(reason) => write('POST', path('rules', name, enabled ? 'disable' : 'enable'), { reason })}
      onDone={onDone}
    >
      <p>{enabled ? t.disables : t.enables}</p>
    </Act>
  );
}

export function RuleState({ enabled }: { enabled: boolean }) {
  const t = useTexts(T);
  return <Badge tone={enabled ? 'good' : 'quiet'}>{enabled ? t.on : t.off}</Badge>;
}

/** When it acts, with the event's name. */
export function ActsOn({ event }: { event: string | null }) {
  const t = useTexts(T);
  const words = useEventWords();
  if (event === null) return <>{t.unknown}</>;
  return (
    <>
      {t.when(words(event))} <code>{event}</code>
    </>
  );
}
