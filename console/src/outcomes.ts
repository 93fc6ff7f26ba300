/** What the API says in English of how work on a webhook ended, part by part, and the same in Portuguese. */
const PARTS: readonly (readonly [english: RegExp, portuguese: string])[] = [
  [/^applied$/, 'aplicado'],
  [/^existing, not changed$/, 'já existia, não foi alterado'],
  [/^no rule (?:for|applied to) (.+)$/, 'nenhuma regra se aplicou a $1'],
  [/^discarded: (.+)$/s, 'descartado: $1'],
  [/^needs a person: (.+)$/, 'precisa de alguém: $1'],
];

/** @param language `en` or `pt-BR` @returns undefined where it is said in English alone */
export function outcomeIn(language: string, outcome: string): string | undefined {
  if (language === 'en') return outcome;
  const [, first = outcome, rest] = /^(.*?)(?:; (needs a person: .+))?$/s.exec(outcome) ?? [];
  const said = [first, ...(rest === undefined ? [] : [rest])].map((part) => {
    const [english, portuguese] = PARTS.find(([pattern]) => pattern.test(part)) ?? [];
    return english && portuguese !== undefined ? part.replace(english, portuguese) : undefined;
  });
  return said.includes(undefined) ? undefined : said.join('; ');
}
