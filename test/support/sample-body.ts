import type { OpenAPIObject } from '@nestjs/swagger';
import { newId } from '../../src/kernel/identifier';

/** As much of a schema of the API's description as matters here. */
export interface BodySchema {
  $ref?: string;
  allOf?: BodySchema[];
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  example?: unknown;
  minimum?: number;
  required?: string[];
  properties?: Record<string, BodySchema>;
}

/** A value that fits the schema, with nothing in it that may be left out. */
export function sampleOf(document: OpenAPIObject, given: BodySchema): unknown {
  const schema = resolved(document, given);
  const type = [schema.type].flat()[0];
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  if (type === 'string') return textOf(schema);
  const required = schema.required ?? [];
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => required.includes(name))
      .map(([name, member]) => [name, sampleOf(document, member)]),
  );
}

/** The fields of a body with a record's identifier. */
export function identifiersIn(document: OpenAPIObject, given: BodySchema): string[] {
  return Object.entries(resolved(document, given).properties ?? {})
    .filter(([, member]) => resolved(document, member).format === 'uuid')
    .map(([name]) => name);
}

function textOf({ format }: BodySchema): string {
  if (format === 'uuid') return newId();
  return format === 'date-time' || format === 'date' ? '2026-03-10' : 'text';
}

function resolved(document: OpenAPIObject, schema: BodySchema): BodySchema {
  const [only] = schema.allOf ?? [];
  if (only) return resolved(document, only);
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  return resolved(document, document.components?.schemas?.[name] ?? {});
}
