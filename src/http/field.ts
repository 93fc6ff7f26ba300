import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import type { Organization } from '../kernel/organization';
import type { LosslessJson } from '../kernel/lossless-json';

/** Why a field's value is not taken. The message is shown to clients and never repeats the value. */
export class Refusal {
  constructor(
    readonly code: string,
    readonly message: string,
  ) {}
}

/** What reading a field may depend on. */
export interface FieldContext {
  /** Whose currency and time zone apply; absent on routes that stand outside any organization. */
  readonly organization?: Organization;
  /**
   * Whether clients are read that were written for other services: field names in any letter case, numbers and flags as
   * text where the text is exact, days as `DD/MM/YYYY`, and midnight in UTC as the day it names.
   */
  readonly lenient?: boolean;
}

/** Converts a field's JSON value (never null) into what the code works with. */
export type FieldReader = (value: LosslessJson, context: FieldContext) => unknown;

/** What the value of a field without fields of its own is in JSON; `texts` is a list of texts. */
export type WireKind = 'text' | 'number' | 'flag' | 'texts';

/** A field whose value is an object, or a list of objects, of another class. */
export interface NestedField {
  readonly type: () => new () => object;
  /** Present: a list of at most so many. */
  readonly max?: number;
}

/** A refusal and the field it is about, as seen from the object that was read: `['lines', '0', 'value']`. */
export interface PlacedRefusal {
  readonly path: readonly string[];
  readonly refusal: Refusal;
}

/**
 * Brings what the fields of an object say in several ways into the one way the code knows, and refuses what does not
 * agree. It runs before anything is found missing.
 * @param ignored names in the object that its class does not know
 */
export type Reconciler<T> = (body: T, ignored: readonly string[]) => readonly PlacedRefusal[];

const RECONCILER = Symbol('reconciler');
const NAMES_RECORD = Symbol('names the record');
const READER = Symbol('field reader');
const NESTED = Symbol('nested field');
const KIND = Symbol('wire kind');

/** @param kind what the field's value is in JSON; only XML, which knows nothing but text, needs it */
export function setReader(reader: FieldReader, kind: WireKind = 'text'): PropertyDecorator {
  return applyDecorators(Reflect.metadata(READER, reader), setKind(kind));
}

/** Says what a field's value is in JSON where {@link setReader} does not. */
function setKind(kind: WireKind): PropertyDecorator {
  return Reflect.metadata(KIND, kind);
}

export function setNested(nested: NestedField): PropertyDecorator {
  return Reflect.metadata(NESTED, nested);
}

export function readerOf(prototype: object, property: string): FieldReader | undefined {
  return Reflect.getMetadata(READER, prototype, property) as FieldReader | undefined;
}

export function kindOf(prototype: object, property: string): WireKind {
  return (Reflect.getMetadata(KIND, prototype, property) as WireKind | undefined) ?? 'text';
}

export function nestedOf(prototype: object, property: string): NestedField | undefined {
  return Reflect.getMetadata(NESTED, prototype, property) as NestedField | undefined;
}

/** Has objects of the class reconciled once all their fields could be read. */
export function Reconciled<T extends object>(reconcile: Reconciler<T>): (type: new () => T) => void {
  return (type) => Reflect.defineMetadata(RECONCILER, reconcile, type.prototype as object);
}

export function reconcilerOf(prototype: object): Reconciler<object> | undefined {
  return Reflect.getMetadata(RECONCILER, prototype) as Reconciler<object> | undefined;
}

/** Says of a field that it repeats which record is meant: a body with nothing else in it asks for nothing. */
export function setNamesRecord(): PropertyDecorator {
  return Reflect.metadata(NAMES_RECORD, true);
}

export function namesRecord(prototype: object, property: string): boolean {
  return Reflect.getMetadata(NAMES_RECORD, prototype, property) === true;
}
