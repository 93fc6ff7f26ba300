import type { OpenAPIObject } from '@nestjs/swagger';
import { UNDESCRIBED } from '../http/validation';

interface Schema {
  properties?: Record<string, object & { [UNDESCRIBED]?: true }>;
}

/** Takes out the properties that are not to be described, and the schemas that only they led to. */
export function dropUndescribed(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const dropped: object[] = [];
  for (const schema of Object.values(schemas) as Schema[]) {
    const { properties } = schema;
    for (const [name, property] of Object.entries(properties ?? {})) {
      if (!property[UNDESCRIBED]) continue;
      dropped.push(property);
      delete properties?.[name];
    }
  }
  const [gone, kept] = [JSON.stringify(dropped), JSON.stringify(document)];
  for (const name of Object.keys(schemas)) {
    const reference = `"#/components/schemas/${name}"`;
    if (gone.includes(reference) && !kept.includes(reference)) delete schemas[name];
  }
}
