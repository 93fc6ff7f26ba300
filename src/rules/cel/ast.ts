import type { ASTNode } from '@marcbachmann/cel-js';

export type { ASTNode };

/** A type as the library's checker leaves it on a node. */
export interface CheckedType {
  readonly kind: string;
  readonly name: string;
  readonly valueType?: CheckedType;
}

/** The checker's verdict on a node; undefined before the check and for what it does not visit. */
export function checkedTypeOf(node: ASTNode): CheckedType | undefined {
  return (node as ASTNode & { checkedType?: CheckedType }).checkedType;
}

/** Replaces what a node does when it is checked and run (the library's hook for macros). */
export function setMacro(node: ASTNode, macro: object): void {
  (node as ASTNode & { setMeta(key: string, value: unknown): unknown }).setMeta.call(node, 'macro', macro);
}

/** Macros that walk a list, with the numbers of arguments they take. */
const COMPREHENSIONS: ReadonlyMap<string, readonly number[]> = new Map([
  ['all', [2]],
  ['exists', [2]],
  ['exists_one', [2]],
  ['filter', [2]],
  ['map', [2, 3]],
]);

export interface Comprehension {
  readonly range: ASTNode;
  /** The name each element gets. */
  readonly variable: string;
  /** What is computed for each element. */
  readonly body: readonly ASTNode[];
}

export function isComprehensionName(name: string): boolean {
  return COMPREHENSIONS.has(name);
}

/** The parts of `list.map(name, …)` and its like; undefined for every other node. */
export function comprehensionOf(node: ASTNode): Comprehension | undefined {
  if (node.op !== 'rcall') return undefined;
  const [name, range, [variable, ...body]] = node.args;
  if (!COMPREHENSIONS.get(name)?.includes(body.length + 1) || variable?.op !== 'id') return undefined;
  return { range, variable: variable.args, body };
}

/** The nodes directly below, as they were written. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

/** The expression's own text that a node came from. */
export function sourceTextOf(node: ASTNode): string {
  return node.input.slice(node.start, node.end);
}
