import { NEEDED_WITH, type Condition } from '../http/validation';

interface Schema {
  properties?: Record<string, Property>;
  if?: object;
  then?: object;
  else?: object;
}

type Property = object & { [NEEDED_WITH]?: Condition };

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
