import { isLosslessNumber, type LosslessJson } from '../../kernel/lossless-json';
import { Problem, type FieldError } from '../../kernel/problem';
import { FieldRefusal, fieldsOf, type Field, type ReadingContext, type ShapeClass } from './field';

export interface ReadShape<T> {
  value: T;
  /** Paths (`address.line3`, `instalment.0.colour`) of fields that were sent and mean nothing here. */
  ignored: string[];
}

type JsonObject = Record<string, LosslessJson>;

interface Findings {
  context: ReadingContext;
  errors: FieldError[];
  ignored: string[];
}

/**
 * Reads a body into an instance of a shape whose fields are declared with the decorators of `fields.ts`. A
 * field that was not sent stays undefined; one sent as null, or as empty text, is null.
 * @throws Problem `validation-failed` with every bad field by its JSON pointer
 */
export function readShape<T extends object>(
  shape: ShapeClass<T>,
  body: LosslessJson | undefined,
  context: ReadingContext,
): ReadShape<T> {
  const findings: Findings = { context, errors: [], ignored: [] };
  const value = readObject(shape, body ?? null, [], findings);
  if (findings.errors.length > 0) throw invalid(findings.errors);
  return { value: value as T, ignored: findings.ignored };
}

/** The problem of a well-formed body with fields that are not acceptable. */
export function invalid(errors: FieldError[]): Problem {
  const first = errors[0];
  const place = first?.pointer ? first.pointer : 'the body';
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new Problem('validation-failed', `${place} ${first?.message ?? 'is not acceptable'}${rest}`, {
    errors,
  });
}

function isObject(value: LosslessJson): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

function pointer(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function refuse(findings: Findings, path: readonly string[], code: string, message: string): void {
  findings.errors.push({ pointer: pointer(path), code, message });
}

function readObject(
  shape: ShapeClass,
  json: LosslessJson,
  path: readonly string[],
  findings: Findings,
): object | undefined {
  if (!isObject(json)) {
    refuse(findings, path, 'type', 'must be an object');
    return undefined;
  }
  const fields = fieldsOf(shape);
  const target = new shape() as Record<string, unknown>;
  for (const [name, field] of fields) {
    const sent = Object.hasOwn(json, name) ? json[name] : undefined;
    const read = readField(field, sent, [...path, name], findings);
    if (read !== undefined) target[name] = read;
  }
  for (const name of Object.keys(json)) {
    if (!fields.has(name)) findings.ignored.push([...path, name].join('.'));
  }
  return target;
}

function readField(
  field: Field,
  sent: LosslessJson | undefined,
  path: readonly string[],
  findings: Findings,
): unknown {
  const missing = sent === undefined || sent === null;
  const value = missing ? sent : readPresent(field, sent, path, findings);
  if (field.required && (missing || value === null)) refuse(findings, path, 'required', 'is required');
  return value;
}

/** The value; null where what was sent is as good as nothing, undefined where it was refused. */
function readPresent(
  field: Field,
  sent: LosslessJson,
  path: readonly string[],
  findings: Findings,
): unknown {
  if (field.kind === 'object') return readObject(field.shape(), sent, path, findings);
  if (field.kind === 'list') return readList(field, sent, path, findings);
  try {
    return field.read(sent, findings.context) ?? null;
  } catch (error) {
    if (!(error instanceof FieldRefusal)) throw error;
    refuse(findings, path, error.code, error.message);
    return undefined;
  }
}

function readList(
  field: Extract<Field, { kind: 'list' }>,
  sent: LosslessJson,
  path: readonly string[],
  findings: Findings,
): unknown {
  if (!Array.isArray(sent)) {
    refuse(findings, path, 'type', 'must be a list');
    return undefined;
  }
  if (sent.length > field.maxItems) {
    refuse(findings, path, 'too-many', `must have at most ${field.maxItems} members`);
    return undefined;
  }
  return sent.map((member, index) =>
    readObject(field.shape(), member, [...path, String(index)], findings),
  );
}
