import { nearestName, didYouMean, meantOr } from '../../kernel/nearest';
import { childrenOf, comprehensionOf, isComprehensionName, sourceTextOf, type ASTNode } from './ast';
import { SIGNATURES } from './functions';
import type { RuleScope } from './scope';

/** Something wrong in an expression, from character `start` of its text. */
export interface ExpressionProblem {
  readonly start: number;
  readonly message: string;
  readonly nearest?: string;
}

const MAX_INT = 9_223_372_036_854_775_807n;

/**
 * Goes over a parsed expression before the library checks its types, and finds what must not be there: names
 * that nobody defined, functions beyond the list of ours, literals and shapes that rules do without. Unlike
 * the type check it does not stop at the first problem.
 */
export function validateNames(root: ASTNode, scope: RuleScope): ExpressionProblem[] {
  const problems: ExpressionProblem[] = [];
  new NameValidation(scope, (problem) => problems.push(problem)).visit(root, new Set());
  return problems;
}

class NameValidation {
  constructor(
    private readonly scope: RuleScope,
    private readonly report: (problem: ExpressionProblem) => void,
  ) {}

  visit(node: ASTNode, elements: ReadonlySet<string>): void {
    if (this.validateNode(node, elements)) return;
    const comprehension = comprehensionOf(node);
    if (comprehension === undefined) {
      for (const child of childrenOf(node)) this.visit(child, elements);
      return;
    }
    this.visit(comprehension.range, elements);
    if (this.scope.has(comprehension.variable) || elements.has(comprehension.variable)) {
      this.report({
        start: node.start,
        message: `the name "${comprehension.variable}" is taken; use another one for the elements`,
      });
    }
    const inner = new Set(elements).add(comprehension.variable);
    for (const child of comprehension.body) this.visit(child, inner);
  }

  /** @returns true when the node is judged with everything below it */
  private validateNode(node: ASTNode, elements: ReadonlySet<string>): boolean {
    switch (node.op) {
      case 'value':
        return this.validateLiteral(node.args, node.start);
      case 'id':
        return this.validateName(node.args, node.start, elements);
      case '.':
        return this.validateField(node);
      case 'call':
        return this.validateCall(node.args[0], node, node.start) || this.validateHas(node);
      case 'rcall':
        return this.validateCall(node.args[0], node, node.input.indexOf(node.args[0], node.args[1].end));
      case '-':
        return this.validateHyphen(node, elements);
      case 'map':
        this.report({ start: node.start, message: 'a map cannot be written in a rule' });
        return true;
      default:
        return false;
    }
  }

  private validateLiteral(value: unknown, start: number): boolean {
    if (value === null) {
      this.report({ start, message: 'there is no null in rules: what may be absent is tested with has(…)' });
    } else if (typeof value === 'bigint' && value > MAX_INT) {
      this.report({ start, message: 'the number is too large' });
    } else if (typeof value === 'object') {
      this.report({ start, message: 'only text, numbers, true and false can be written in a rule' });
    }
    return true;
  }

  private validateName(name: string, start: number, elements: ReadonlySet<string>): boolean {
    if (elements.has(name) || this.scope.sizes.has(name)) return true;
    const elsewhere = this.scope.elsewhere.get(name);
    if (elsewhere !== undefined) {
      this.report({ start, message: `"${name}" cannot be used here: ${elsewhere}` });
      return true;
    }
    const nearest = nearestName(name, [...this.scope.sizes.keys(), ...elements]);
    this.report({ start, message: `unknown name "${name}"${didYouMean(nearest)}`, nearest });
    return true;
  }

  /** `tables.NAME`, `settings.NAME`, `steps.ID` and `steps.ID.OUTPUT`, whose names are better judged here than by their types. */
  private validateField(node: ASTNode & { op: '.' }): boolean {
    const [left, name] = node.args;
    if (isName(left, 'tables') && !this.scope.tables.has(name)) {
      const nearest = nearestName(name, this.scope.tables);
      this.report({
        start: node.pos,
        message: `there is no table "${name}"${meantOr(nearest, this.scope.tables)}`,
        nearest,
      });
      return true;
    }
    const { settings } = this.scope;
    if (settings && isName(left, 'settings') && !settings.has(name)) {
      const nearest = nearestName(name, settings);
      const message = `the rule declares no setting "${name}"${didYouMean(nearest)}`;
      this.report({ start: node.pos, message, nearest });
      return true;
    }
    if (isName(left, 'steps') && this.scope.sizes.has('steps')) return this.validateStep(name, node.pos);
    if (left.op === '.' && isName(left.args[0], 'steps') && this.scope.earlierSteps.has(left.args[1])) {
      return this.validateOutput(left.args[1], name, node.pos);
    }
    return false;
  }

  private validateStep(id: string, start: number): boolean {
    if (this.scope.withoutOutput.has(id)) return this.reportNoOutput(id, start);
    if (this.scope.earlierSteps.has(id)) return true;
    if (this.scope.steps.has(id)) {
      this.report({
        start,
        message: `the step "${id}" does not come before this one: only steps further up can be used`,
      });
      return true;
    }
    const nearest = nearestName(id, this.scope.earlierSteps);
    this.report({ start, message: `there is no step "${id}"${didYouMean(nearest)}`, nearest });
    return true;
  }

  private reportNoOutput(id: string, start: number): true {
    const why = {
      forEach: 'is done for each element of a list, so no single output stands for it',
      notBefore: 'is done on its day, so there is no output yet',
    };
    const member = this.scope.withoutOutput.get(id) ?? 'forEach';
    const message = `the step "${id}" ${why[member]}: take one of a step without "${member}"`;
    this.report({ start, message });
    return true;
  }

  private validateOutput(step: string, name: string, start: number): boolean {
    if (this.scope.withoutOutput.has(step)) return this.reportNoOutput(step, start);
    const output = this.scope.steps.get(step)?.output;
    if (output === undefined || Object.hasOwn(output, name)) return true;
    const nearest = nearestName(name, Object.keys(output));
    this.report({
      start,
      message: `the step "${step}" has no output "${name}"${didYouMean(nearest)}`,
      nearest,
    });
    return true;
  }

  private validateCall(name: string, node: ASTNode, start: number): boolean {
    if (!Object.hasOwn(SIGNATURES, name)) {
      const nearest = nearestName(name, Object.keys(SIGNATURES));
      this.report({ start, message: unknownFunction(name, nearest), nearest });
      return false;
    }
    if (isComprehensionName(name) && comprehensionOf(node) === undefined) {
      this.report({ start, message: `it is written ${SIGNATURES[name]?.join(' or ')}` });
      return true;
    }
    return false;
  }

  /** `tables.category.online-sales` takes `sales` off `tables.category.online`. */
  private validateHyphen(node: ASTNode & { op: '-' }, elements: ReadonlySet<string>): boolean {
    const path = hyphenatedPath(node);
    if (path === undefined || nearestName(path.last, [...this.scope.sizes.keys(), ...elements])) return false;
    const message = `a name with a hyphen is written ${path.before}["${path.name}"]`;
    this.report({ start: node.start, message });
    return true;
  }

  private validateHas(node: ASTNode & { op: 'call' }): boolean {
    if (node.args[0] !== 'has') return false;
    const [path] = node.args[1];
    if (node.args[1].length === 1 && (path?.op === '.' || path?.op === '[]')) return false;
    this.report({ start: node.start, message: 'has(…) takes a field, for example has(order.paidAt)' });
    return true;
  }
}

function unknownFunction(name: string, nearest: string | undefined): string {
  if (name === 'matches')
    return 'there are no regular expressions in rules: use startsWith, endsWith, contains, indexOf or split';
  return `there is no function "${name}"${didYouMean(nearest)}`;
}

/** A field of a table or of the payload with hyphens in its name, which was read as one less another. */
function hyphenatedPath(node: ASTNode): { before: string; name: string; last: string } | undefined {
  if (node.op === '.') {
    const [left, name] = node.args;
    const isOpen = isName(left, 'raw') || (left.op === '.' && isName(left.args[0], 'tables'));
    return isOpen ? { before: sourceTextOf(left), name, last: name } : undefined;
  }
  if (node.op !== '-' || node.args[1].op !== 'id') return undefined;
  const [last, path] = [node.args[1].args, hyphenatedPath(node.args[0])];
  return path && { ...path, name: `${path.name}-${last}`, last };
}

function isName(node: ASTNode, name: string): boolean {
  return node.op === 'id' && node.args === name;
}
