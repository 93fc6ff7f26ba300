import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import type { InputField, InputFields, InputType } from '../actions/input-types';
import type { Expression, Values } from '../cel/expression';
import { RuleRefusal } from '../cel/refusal';
import type { CompiledInput, Mapping } from '../compiled-rule';
import { parseTemplate, type TemplatePart } from '../document/template';
import type { DocumentNode, ListNode, MapNode, TextNode } from '../document/yaml-nodes';
import { meantOr, nearestName } from '../../kernel/nearest';
import { typeName, type Expressions } from './expressions';

/** Types whose values can stand in the middle of text. */
const IN_TEXT: ReadonlySet<string> = new Set(['string', 'int', 'double', 'bool', 'Money', 'Date', 'dyn']);

/** Names and number of the fields of an object that names them itself. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9]{0,39}$/;
const MOST_NAMED = 30;

/** Compiles what a step maps to its action's inputs. Problems are noted; what has one is left out. */
export class Mappings {
  constructor(private readonly expressions: Expressions) {}

  /** @param what for messages: `step "customer"`, `input "address"` */
  fields(what: string, node: MapNode, fields: InputFields): CompiledInput[] {
    this.reportUnknown(what, node, fields);
    return Object.entries(fields).flatMap(([name, field]) => {
      const member = node.members.get(name);
      if (member === undefined) {
        if (field.required)
          this.add(
            node.offset,
            `${what} needs the input "${name}" (${field.type.name}): ${field.description}`,
          );
        return [];
      }
      return this.input(name, member.value, field);
    });
  }

  /** A single text, such as a step's key. */
  value(what: string, node: DocumentNode, type: InputType<unknown>): Mapping | undefined {
    switch (node.kind) {
      case 'text':
        return this.text(what, node, type);
      case 'list':
        return this.list(what, node, type);
      case 'map':
        return this.object(what, node, type);
    }
  }

  private input(name: string, node: DocumentNode, field: InputField): CompiledInput[] {
    if (node.kind === 'text' && node.value.trim() === '') {
      if (field.required) this.add(node.offset, `the input "${name}" is empty`);
      return [];
    }
    const map = this.value(`the input "${name}"`, node, field.type);
    return map === undefined ? [] : [{ name, required: field.required, map }];
  }

  private reportUnknown(what: string, node: MapNode, fields: InputFields): void {
    for (const [name, { key }] of node.members) {
      if (Object.hasOwn(fields, name) || this.expressions.problems.isFull) continue;
      const nearest = nearestName(name, Object.keys(fields));
      this.add(key.offset, `${what} has no input "${name}"${meantOr(nearest, Object.keys(fields))}`, nearest);
    }
  }

  private text(what: string, node: TextNode, type: InputType<unknown>): Mapping | undefined {
    const template = parseTemplate(node.value);
    if ('problem' in template) {
      this.add(node.offsetOf(template.problem.start), template.problem.message);
      return undefined;
    }
    const parts = withoutOuterSpace(template.parts);
    const [first, ...others] = parts;
    if (first?.kind === 'expression' && others.length === 0) return this.expression(what, node, first, type);
    if (parts.every(({ kind }) => kind === 'literal')) return this.literal(what, node, parts, type);
    return this.mixed(what, node, parts, type);
  }

  private expression(
    what: string,
    node: TextNode,
    part: TemplatePart & { kind: 'expression' },
    type: InputType<unknown>,
  ): Mapping | undefined {
    const expression = this.expressions.part(node, part.source, part.start);
    if (expression === undefined) return undefined;
    if (!expression.uncertain && !type.accepts.includes(expression.type)) {
      const offset = node.offsetOf(part.start);
      this.add(offset, `${what} takes ${type.name}, not ${typeName(expression)}${hintOf(type, expression)}`);
      return undefined;
    }
    return (values) => type.read(expression.evaluate(values));
  }

  private literal(
    what: string,
    node: TextNode,
    parts: readonly TemplatePart[],
    type: InputType<unknown>,
  ): Mapping | undefined {
    if (type.literal === undefined) {
      this.add(node.offset, `${what} takes ${type.name}${type.hint ? `: ${type.hint}` : ''}`);
      return undefined;
    }
    try {
      const value = type.literal(parts.map((part) => (part.kind === 'literal' ? part.text : '')).join(''));
      return () => value;
    } catch (error) {
      if (!(error instanceof RuleRefusal)) throw error;
      this.add(node.offset, `${what}: ${error.message}`);
      return undefined;
    }
  }

  private mixed(
    what: string,
    node: TextNode,
    parts: readonly TemplatePart[],
    type: InputType<unknown>,
  ): Mapping | undefined {
    if (!type.accepts.includes('string')) {
      this.add(node.offset, `${what} takes ${type.name}: a single expression with no text around it`);
      return undefined;
    }
    const pieces = parts.map((part) => (part.kind === 'literal' ? () => part.text : this.piece(node, part)));
    if (!pieces.every((piece) => piece !== undefined)) return undefined;
    return (values) => type.read(pieces.map((piece) => piece(values)).join(''));
  }

  private piece(
    node: TextNode,
    part: TemplatePart & { kind: 'expression' },
  ): ((values: Values) => string) | undefined {
    const expression = this.expressions.part(node, part.source, part.start);
    if (expression === undefined) return undefined;
    if (!expression.uncertain && !IN_TEXT.has(expression.type)) {
      this.add(
        node.offsetOf(part.start),
        `${typeName(expression)} cannot stand in text${pieceHint(expression)}`,
      );
      return undefined;
    }
    return (values) => inText(expression.evaluate(values));
  }

  private list(what: string, node: ListNode, type: InputType<unknown>): Mapping | undefined {
    const { item } = type;
    if (item === undefined) {
      this.add(node.offset, `${what} takes ${type.name}, not a list`);
      return undefined;
    }
    const items = node.items.map((element, index) =>
      this.value(`element ${index + 1} of ${what}`, element, item),
    );
    if (!items.every((map) => map !== undefined)) return undefined;
    return (values) => {
      const elements = items.map((map) => map(values)).filter((element) => element !== undefined);
      return elements.length === 0 ? undefined : elements;
    };
  }

  private object(what: string, node: MapNode, type: InputType<unknown>): Mapping | undefined {
    const taken = type.values ? this.namedFields(what, node, type.values) : type.fields;
    if (taken === undefined) {
      this.add(node.offset, `${what} takes ${type.name}, not a map`);
      return undefined;
    }
    const fields = this.fields(what, node, taken);
    return (values) => readInputs(fields, values);
  }

  /** The fields of an object that names them itself. */
  private namedFields(what: string, node: MapNode, type: InputType<unknown>): InputFields {
    const names = [...node.members.keys()];
    if (names.length > MOST_NAMED)
      this.add(node.offset, `${what} has ${names.length} fields; there may be ${MOST_NAMED}`);
    for (const [name, { key }] of node.members) {
      if (!FIELD_NAME.test(name))
        this.add(
          key.offset,
          `"${name}" is no name of a field: a letter, then letters and digits, 40 at most`,
        );
    }
    return Object.fromEntries(names.map((name) => [name, { type, required: false, description: name }]));
  }

  private add(offset: number, message: string, nearest?: string): void {
    this.expressions.problems.add(offset, message, nearest);
  }
}

/** A block of YAML ends with a line break: with nothing else around it, an expression is still alone. */
function withoutOuterSpace(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const isSpace = (part: TemplatePart | undefined) => part?.kind === 'literal' && part.text.trim() === '';
  const from = isSpace(parts[0]) ? 1 : 0;
  return parts.slice(from, isSpace(parts.at(-1)) ? -1 : undefined);
}

/**
 * The values of all inputs that are there; undefined when none is.
 * @throws RuleRefusal naming a required one that is absent
 */
function readInputs(inputs: readonly CompiledInput[], values: Values): Record<string, unknown> | undefined {
  const read: Record<string, unknown> = {};
  for (const { name, required, map } of inputs) {
    const value = map(values);
    if (value !== undefined) read[name] = value;
    else if (required) throw new RuleRefusal(`"${name}" is empty`);
  }
  return Object.keys(read).length === 0 ? undefined : read;
}

function inText(value: unknown): string {
  if (value instanceof Money || value instanceof CalendarDate) return value.toString();
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'number':
    case 'boolean':
      return String(value);
    default:
      throw new RuleRefusal('the payload has no text here');
  }
}

function hintOf(type: InputType<unknown>, { type: given }: Expression): string {
  if (given === 'Instant') return '; the day of an instant is instant.dateIn(org.timeZone)';
  if (type.name === 'string' && IN_TEXT.has(given)) return '; write string(…) around it';
  return type.hint === undefined ? '' : `: ${type.hint}`;
}

function pieceHint({ type }: Expression): string {
  if (type === 'Instant') return '; the day of an instant is instant.dateIn(org.timeZone)';
  if (type.endsWith('Ref') || type.endsWith('Refs')) return ': it is not known before its step is done';
  return '';
}
