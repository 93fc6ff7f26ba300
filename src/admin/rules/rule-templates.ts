import type { Configuration } from '../../config/configuration';
import { descriptionIn } from '../../rules/document/description';
import { loadRule } from '../../rules/load-rule';
import type { RuleTemplateDetail } from './rules.dto';

/** What an organization with this profile can begin with, by name: templates, and the rules that it was given. */
export function ruleTemplates(
  { templates, rules, profiles }: Configuration,
  profile: string,
): Map<string, RuleTemplateDetail> {
  const own = profiles.find(({ name }) => name === profile)?.rules ?? [];
  const all = [...templates, ...rules, ...own].map(({ name, text }): RuleTemplateDetail => {
    const loaded = loadRule(text, { tables: tablesNamedIn(text) });
    const { name: said, event } = 'rule' in loaded ? loaded.rule : loaded.head;
    const description = descriptionIn(text);
    return { name: said ?? name, event: event ?? null, description, document: text };
  });
  all.sort((left, right) => (left.name < right.name ? -1 : 1));
  return new Map(all.map((template) => [template.name, template]));
}

/** The lookup tables that a rule names, whether or not there are such. */
export function tablesNamedIn(document: string): Set<string> {
  return new Set([...document.matchAll(/\btables\.(\w+)/g)].map(([, name = '']) => name));
}
