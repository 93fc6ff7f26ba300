import type { Problems } from '../document/problems';
import type { TextNode } from '../document/yaml-nodes';
import { compileExpression, type Expression, type Values } from '../cel/expression';
import type { Size } from '../cel/cost';
import { MAX_EACH, RULE_BUDGET } from '../cel/limits';
import { type RuleScope, SETTINGS } from '../cel/scope';
import type { CompiledCondition } from '../compiled-rule';

/** Compiles the expressions of one rule: their problems are put where they stand in the document. */
export class Expressions {
  /** Sum of the estimates so far. */
  cost = 0;
  usesRaw = false;
  /** Of the step being read: ids of the steps whose outputs it hands on. */
  readonly stepsUsed = new Set<string>();
  /** Names that were read since this was last cleared. */
  readonly namesUsed = new Set<string>();
  /** How often what is being read is evaluated at most. */
  private times = 1;

  constructor(
    readonly scope: RuleScope,
    readonly problems: Problems,
  ) {}

  /** Reads what is evaluated for each element of a list, under the name that the element has there. */
  forEach<T>(name: string, type: string, size: Size, read: () => T): T {
    this.times = MAX_EACH;
    try {
      return this.scope.withName(name, type, size, read);
    } finally {
      this.times = 1;
    }
  }

  /** A text that is an expression as a whole, as conditions and `let` have it. */
  whole(node: TextNode, types: readonly string[] | undefined): Expression | undefined {
    const bare = /^\s*\$\{([\s\S]*)\}\s*$/.exec(node.value);
    if (bare) {
      this.problems.add(node.offsetOf(0), 'an expression here is written as it is, without "${" and "}"');
      return undefined;
    }
    const expression = this.part(node, node.value, 0);
    if (expression === undefined || types === undefined || expression.uncertain) return expression;
    if (types.includes(expression.type)) return expression;
    const hint = types.includes('bool') ? '; a condition is for example order.total > money("0.00")' : '';
    this.problems.add(
      node.offsetOf(0),
      `it must give ${types.join(' or ')}, but gives ${typeName(expression)}${hint}`,
    );
    return undefined;
  }

  /** A text that is a condition as a whole. */
  condition(node: TextNode): CompiledCondition | undefined {
    const expression = this.whole(node, ['bool']);
    if (expression === undefined) return undefined;
    const { source, requirements, names } = expression;
    const test = (values: Values) => expression.evaluate(values) === true;
    return { source, test, requirements, usesSettings: names.includes(SETTINGS) };
  }

  /** An expression inside a text, from the text's character `start` on. Nothing is looked into once there are enough problems. */
  part(node: TextNode, source: string, start: number): Expression | undefined {
    if (this.problems.isFull) return undefined;
    const compiled = compileExpression(source, this.scope);
    if ('problems' in compiled) {
      for (const problem of compiled.problems) {
        this.problems.add(node.offsetOf(start + problem.start), problem.message, problem.nearest);
      }
      return undefined;
    }
    this.count(compiled.expression, node.offsetOf(start));
    return compiled.expression;
  }

  private count(expression: Expression, offset: number): void {
    const before = this.cost;
    this.cost += expression.cost * this.times;
    this.usesRaw ||= expression.usesRaw;
    for (const step of expression.steps) this.stepsUsed.add(step);
    for (const name of expression.names) this.namesUsed.add(name);
    if (before <= RULE_BUDGET && this.cost > RULE_BUDGET) {
      this.problems.add(
        offset,
        'up to here the expressions of this rule could cost more together than is allowed',
      );
    }
  }
}

/** A type's name as people know it. */
export function typeName({ type }: Expression): string {
  if (type === 'dyn') return 'a value of the payload';
  return type.replace(/\bdyn\b/g, 'payload values');
}
