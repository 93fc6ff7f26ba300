import { didYouMean, nearestName } from '../../kernel/nearest';
import type { Problems } from '../document/problems';
import type { DocumentNode, ListNode, MapNode, Member } from '../document/yaml-nodes';
import {
  MAX_SETTING_TEXT,
  ownText,
  type RuleSetting,
  SETTING_TYPES,
  settingProblem,
  type SettingTexts,
  type SettingType,
} from '../rule-settings';
import { asList, asMap, asText, Members } from './members';

const NAME = /^[a-z][A-Za-z0-9_]{0,62}$/;
const MAX_SETTINGS = 50;
const MAX_CHOICES = 50;

/** Reads what a rule declares under `settings`, and checks what an organization has set against it. */
export class SettingsReader {
  constructor(
    private readonly problems: Problems,
    /** What the organization has set for the rule. */
    private readonly texts: SettingTexts,
  ) {}

  /** @returns the settings that can be read */
  read(node: DocumentNode): RuleSetting[] {
    const map = asMap('"settings"', node, this.problems);
    const members = [...(map?.members.values() ?? [])];
    if (members.length > MAX_SETTINGS)
      this.problems.add(
        node.offset,
        `there are ${members.length} settings; at most ${MAX_SETTINGS} are taken`,
      );
    return members.slice(0, MAX_SETTINGS).flatMap((member) => this.setting(member) ?? []);
  }

  private setting({ key, value }: Member): RuleSetting | undefined {
    const name = key.value;
    if (!NAME.test(name)) {
      const message =
        "a setting's name begins with a lower-case letter and goes on with letters, digits and _";
      this.problems.add(key.offset, message);
      return undefined;
    }
    const map = asMap(`the setting "${name}"`, value, this.problems);
    return map && this.declaration(name, map);
  }

  private declaration(name: string, map: MapNode): RuleSetting | undefined {
    const what = `the setting "${name}"`;
    const members = new Members(what, map, ['type', 'of', 'default', 'description'], this.problems);
    const type = this.type(members);
    const description = members.text('description')?.value;
    const node = members.need('default')?.value;
    const of = type && this.choices(what, type, members.get('of'), map);
    if (type === undefined || description === undefined || node === undefined) return undefined;
    if (type === 'choice' && of === undefined) return undefined;
    const text =
      node.kind === 'text' && (node.value !== '' || type === 'text')
        ? node
        : asText('"default"', node, this.problems);
    if (text === undefined) return undefined;
    const setting: RuleSetting = { name, type, ...(of && { of }), default: text.value, description };
    const problem = settingProblem(setting, text.value);
    if (problem !== undefined)
      this.problems.add(text.offset, `the default of ${what} does not fit its type: ${problem}`);
    this.checkSet(setting, map);
    return setting;
  }

  /** What was set for an earlier version has to fit this one. */
  private checkSet(setting: RuleSetting, map: MapNode): void {
    const set = ownText(this.texts, setting.name);
    const problem = set === undefined ? undefined : settingProblem(setting, set);
    if (problem === undefined) return;
    const message = `what the organization has set for "${setting.name}" does not fit here: ${problem}; set it anew first, or take it back`;
    this.problems.add(map.offset, message);
  }

  private type(members: Members): SettingType | undefined {
    const node = members.text('type');
    if (node === undefined) return undefined;
    const type = SETTING_TYPES.find((known) => known === node.value);
    if (type !== undefined) return type;
    const nearest = nearestName(node.value, SETTING_TYPES);
    const message = `there is no type "${node.value}" of settings${didYouMean(nearest)}; there are ${SETTING_TYPES.join(', ')}`;
    this.problems.add(node.offset, message, nearest);
    return undefined;
  }

  private choices(
    what: string,
    type: SettingType,
    member: Member | undefined,
    map: MapNode,
  ): string[] | undefined {
    if (type !== 'choice') {
      if (member) this.problems.add(member.key.offset, `only a setting of type choice has "of"`);
      return undefined;
    }
    if (member === undefined) {
      this.problems.add(
        map.offset,
        `${what} is a choice and needs a member "of": the list of what to choose from`,
      );
      return undefined;
    }
    const list = asList('"of"', member.value, this.problems);
    return list && this.choicesOf(what, list);
  }

  private choicesOf(what: string, list: ListNode): string[] | undefined {
    const texts = list.items.flatMap((item) => asText('a choice', item, this.problems)?.value ?? []);
    if (texts.length !== list.items.length) return undefined;
    const isTooMuch = texts.length > MAX_CHOICES || texts.some(({ length }) => length > MAX_SETTING_TEXT);
    if (texts.length >= 2 && !isTooMuch && new Set(texts).size === texts.length) return texts;
    const message = `${what} takes 2 to ${MAX_CHOICES} different texts to choose from, each of at most ${MAX_SETTING_TEXT} characters`;
    this.problems.add(list.offset, message);
    return undefined;
  }
}
