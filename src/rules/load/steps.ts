import { meantOr, nearestName } from '../../kernel/nearest';
import type { Action } from '../actions/action';
import { date, text } from '../actions/input-types';
import { ACTION_NAMES, findAction } from '../actions/registry';
import { ANY } from '../cel/cost';
import type { RuleScope } from '../cel/scope';
import type { CompiledList, CompiledStep, Mapping } from '../compiled-rule';
import { StepHandlingReader } from './step-handling';
import type { Problems } from '../document/problems';
import type { DocumentNode, MapNode, Member } from '../document/yaml-nodes';
import { type Expressions, typeName } from './expressions';
import { Mappings } from './mappings';
import { asMap, asText, Members } from './members';

const NAME = /^[a-z][A-Za-z0-9_]{0,62}$/;
/** What a step is made of. */
export const STEP_MEMBERS: readonly string[] = [
  ...['id', 'forEach', 'if', 'do', 'key', 'with', 'ifMissing', 'onRefused', 'approval', 'notBefore'],
];

/** Why a rule cannot give something this name, as a sentence; undefined when it can. */
export function nameProblem(name: string, scope: RuleScope): string | undefined {
  if (!NAME.test(name))
    return 'a name begins with a lower-case letter and goes on with letters, digits and _';
  return scope.has(name) || name === 'steps' ? `the name "${name}" is taken` : undefined;
}

/** A step whose members were found, before its expressions are read. */
interface StepDraft {
  readonly id: string;
  readonly members: Members;
  readonly map: MapNode;
  readonly action: Action | undefined;
}

/** Reads the steps of one rule. */
export class StepReader {
  private readonly problems: Problems;

  /** @param refusesContradictions whether a step is a problem that no event can be planned with */
  constructor(
    private readonly expressions: Expressions,
    private readonly refusesContradictions: boolean,
  ) {
    this.problems = expressions.problems;
  }

  /** @returns the steps that can be read, and the value of `steps` for them */
  read(items: readonly DocumentNode[]): { steps: CompiledStep[]; stepOutputs: unknown } {
    const { scope } = this.expressions;
    const drafts = this.drafts(items);
    const stepOutputs = scope.defineSteps(
      drafts.map(({ id, action }) => ({ id, output: action && outputTypes(action) })),
    );
    const steps = drafts.flatMap((draft) => {
      const step = this.step(draft);
      scope.earlierSteps.add(draft.id);
      for (const member of ['notBefore', 'forEach'] as const)
        if (draft.members.get(member) !== undefined) scope.withoutOutput.set(draft.id, member);
      return step === undefined ? [] : [step];
    });
    return { steps, stepOutputs };
  }

  private drafts(items: readonly DocumentNode[]): StepDraft[] {
    const ids = new Set<string>();
    return items.flatMap((item, index) => {
      const what = `step ${index + 1}`;
      const map = asMap(what, item, this.problems);
      if (map === undefined) return [];
      const members = new Members(what, map, STEP_MEMBERS, this.problems);
      const action = this.action(members);
      const id = this.stepId(members, ids) ?? `unnamed${index + 1}`;
      ids.add(id);
      return [{ id, members, map, action }];
    });
  }

  private stepId(members: Members, taken: ReadonlySet<string>): string | undefined {
    const node = members.text('id');
    if (node === undefined) return undefined;
    if (taken.has(node.value))
      this.problems.add(node.offset, `there is a step "${node.value}" already: give this one another id`);
    else if (NAME.test(node.value)) return node.value;
    else {
      this.problems.add(
        node.offset,
        "a step's id begins with a lower-case letter and goes on with letters, digits and _",
      );
    }
    return undefined;
  }

  private action(members: Members): Action | undefined {
    const node = members.text('do');
    if (node === undefined) return undefined;
    const action = findAction(node.value);
    if (action !== undefined) return action;
    const nearest = nearestName(node.value, ACTION_NAMES);
    this.problems.add(
      node.offset,
      `there is no action "${node.value}"${meantOr(nearest, ACTION_NAMES)}`,
      nearest,
    );
    return undefined;
  }

  private step(draft: StepDraft): CompiledStep | undefined {
    this.expressions.stepsUsed.clear();
    const member = draft.members.get('forEach');
    if (member === undefined) return this.stepOnce(draft, undefined);
    const map = asMap('"forEach"', member.value, this.problems);
    const [element, ...more] = [...(map?.members.values() ?? [])];
    if (map !== undefined && (element === undefined || more.length > 0)) {
      const message =
        '"forEach" takes the name of an element and the list it is from, for example { refund: order.refunds }';
      this.problems.add(map.offset, message);
    }
    if (element === undefined) return undefined;
    return this.stepForEach(draft, element);
  }

  private stepForEach(draft: StepDraft, { key: name, value }: Member): CompiledStep | undefined {
    const { scope } = this.expressions;
    const problem = nameProblem(name.value, scope);
    if (problem !== undefined) this.problems.add(name.offset, problem);
    const source = asText('"forEach"', value, this.problems);
    const list = source && this.expressions.whole(source, undefined);
    if (list === undefined || problem !== undefined) return undefined;
    const item = list.uncertain || list.type === 'dyn' ? 'dyn' : /^list<(.+)>$/.exec(list.type)?.[1];
    if (item === undefined) {
      this.problems.add(
        value.offset,
        `"forEach" takes a list such as order.refunds, not ${typeName(list)}; a single value needs no "forEach"`,
      );
      return undefined;
    }
    const each: CompiledList = {
      ...{ name: name.value, type: item },
      evaluate: (values) => list.evaluate(values),
    };
    return this.expressions.forEach(each.name, item, list.size.item ?? ANY, () => this.stepOnce(draft, each));
  }

  private stepOnce(
    { id, members, map, action }: StepDraft,
    forEach: CompiledList | undefined,
  ): CompiledStep | undefined {
    const mappings = new Mappings(this.expressions);
    const condition = this.condition(members);
    const handling = new StepHandlingReader(members, this.problems).read(action);
    this.expressions.namesUsed.clear();
    const keyNode = members.get('key');
    const key = keyNode && mappings.value('"key"', keyNode.value, text);
    if (forEach !== undefined && !this.expressions.namesUsed.has(forEach.name) && !this.problems.isFull) {
      const message = `with "forEach" a step needs a "key" that names the element, for example \${${forEach.name}.key}`;
      this.problems.add(keyNode?.value.offset ?? map.offset, message);
    }
    const notBefore = this.notBefore(members, action, mappings);
    const withNode = members.get('with')?.value;
    const inputs = withNode && asMap('"with"', withNode, this.problems);
    if (action !== undefined && keyNode === undefined && forEach === undefined && action.key.required) {
      this.problems.add(map.offset, `${action.name} needs a member "key": ${action.key.description}`);
    }
    if (action === undefined || (withNode !== undefined && inputs === undefined)) return undefined;
    const given = inputs ?? { ...map, members: new Map<string, never>() };
    const keyText = textOf(keyNode);
    const unlessText = textOf(given.members.get('unless'));
    const fields = mappings.fields(action.name, given, action.input);
    if (this.refusesContradictions) this.contradiction(action, given);
    const uses = [...this.expressions.stepsUsed];
    return {
      ...{ id, action, handling, key, inputs: fields, uses },
      ...(forEach && { forEach }),
      ...(condition && { condition }),
      ...(keyText !== undefined && { keyText }),
      ...(unlessText !== undefined && { unlessText }),
      ...(notBefore && { notBefore }),
    };
  }

  /** What the action would refuse of every event. */
  private contradiction(action: Action, { members, offset }: MapNode): void {
    const given = [...members].filter(([, { value }]) => value.kind !== 'text' || value.value.trim() !== '');
    const texts = given.map(
      ([name, { value }]) => [name, value.kind === 'text' ? value.value.trim() : undefined] as const,
    );
    const found = action.contradiction?.(new Map(texts));
    if (found === undefined) return;
    const member = found.input === undefined ? undefined : members.get(found.input);
    this.problems.add(member?.key.offset ?? offset, `${action.name}: ${found.message}`);
  }

  private notBefore(members: Members, action: Action | undefined, mappings: Mappings): Mapping | undefined {
    const member = members.get('notBefore');
    if (member === undefined) return undefined;
    if (action?.finds) {
      const message = `${action.name} changes nothing, so there is nothing to put off; say it on the step that uses what it finds`;
      this.problems.add(member.key.offset, message);
    }
    return mappings.value('"notBefore"', member.value, date);
  }

  private condition(members: Members) {
    const node = members.get('if');
    const source = node && asText('"if"', node.value, this.problems);
    return source && this.expressions.condition(source);
  }
}

function outputTypes(action: Action) {
  return Object.fromEntries(Object.entries(action.output).map(([name, { type }]) => [name, type]));
}

/** As it is written; undefined where it is absent, or a list or a map. */
function textOf(member: Member | undefined): string | undefined {
  return member?.value.kind === 'text' ? member.value.value.trim() : undefined;
}
