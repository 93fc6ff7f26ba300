import type { OpenAPIObject } from '@nestjs/swagger';
import { type Condition, NEEDED_WITH, UNDESCRIBED } from '../http/validation';

interface Schema {
  properties?: Record<string, Property>;
  if?: object;
  then?: object;
  else?: object;
}

type Property = object & { [NEEDED_WITH]?: Condition; [UNDESCRIBED]?: true };

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

/** Says with `if` and `then` which properties are needed beside what others. */
export function addConditions(schema: object): void {
  const target: Schema = schema;
  for (const [name, property] of Object.entries(target.properties ?? {})) {
    const { [NEEDED_WITH]: condition, ...rest } = property;
    if (!condition) continue;
    target.properties = { ...target.properties, [name]: rest };
    const { if: before, then, else: otherwise } = target;
    const chain = before === undefined ? {} : { else: { if: before, then, else: otherwise } };
    Object.assign(target, neededIf(name, condition), chain);
  }
}

function neededIf(name: string, { field, value }: Condition): object {
  return {
    if: { required: [field], properties: { [field]: { const: value } } },
    then: { required: [name], properties: { [name]: { not: { type: 'null' } } } },
  };
}
