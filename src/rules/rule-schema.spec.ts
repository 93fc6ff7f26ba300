import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { EVENT_TYPES } from '../events/event';
import { ACTION_NAMES } from './actions/registry';
import { problemsOf } from './fixtures';
import { RULE_MEMBERS } from './load-rule';
import { STEP_MEMBERS } from './load/steps';
import { type JsonSchema, ruleSchema } from './rule-schema';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const validate = new Ajv({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
}).compile(ruleSchema());

/** Why the schema refuses a document; undefined when it takes it. */
function refused(document: string): string | undefined {
  return validate(parse(document)) ? undefined : JSON.stringify(validate.errors);
}

function blocks(path: string, info: string): string[] {
  const fence = new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...read(path).matchAll(fence)].map(([, text]) => text ?? '');
}

const membersOf = (schema: unknown) => Object.keys((schema as { properties: object }).properties);

describe('the JSON Schema of rules', () => {
  const schema = ruleSchema() as { properties: Record<string, JsonSchema> };

  it('is the file in docs: `npm run docs:reference` writes it', () => {
    expect(JSON.parse(read('docs/rule.schema.json'))).toEqual(schema);
  });

  it('knows every member, event and action', () => {
    expect(membersOf(schema)).toEqual([...RULE_MEMBERS]);
    const items = schema.properties['then']?.['items'] as JsonSchema;
    expect(membersOf(items)).toEqual([...STEP_MEMBERS]);
    expect(JSON.stringify(schema)).toContain(JSON.stringify(EVENT_TYPES));
    expect(JSON.stringify(items)).toContain(JSON.stringify(ACTION_NAMES));
  });

  it.each(
    ['rules', 'profiles/cash', 'profiles/accrual'].flatMap((folder) =>
      readdirSync(join(ROOT, 'config', folder)).map((file) => `config/${folder}/${file}`),
    ),
  )('takes the rule %s that comes with Ponte', (file) => {
    expect(refused(read(file))).toBeUndefined();
  });

  it.each(blocks('docs/rules.md', 'yaml rule'))('takes the rules of the guide: %#', (document) => {
    expect(refused(document)).toBeUndefined();
  });

  it('refuses of the common mistakes those that are of form', () => {
    const page = read('docs/rule-mistakes.md');
    const mistakes = [...page.matchAll(/^## (.+)\n[^#]*?```yaml mistake\n([\s\S]*?)```/gm)];
    const seen = mistakes.filter(
      ([, , document = '']) => isRead(document) && refused(document) !== undefined,
    );
    expect(seen.map(([, title]) => title)).toEqual([
      'An event of another name',
      'A member of another name',
      'An amount without an expression',
      'A missing key',
      'An action of another name',
      'A required input that is left out',
      'Braces around a condition',
    ]);
  });

  it.each([
    'rule: a\nwhen: { event: order.paid }\nthen: []',
    'rule: A\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: b } }]',
    'rule: a\npriority: high\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: b } }]',
    'rule: a\nstop: maybe\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: b } }]',
    'rule: a\nsettings: { x: { type: choice, default: b, description: c } }\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: b } }]',
    'rule: a\nsettings: { x: { type: int, of: [1, 2], default: 1, description: c } }\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: b } }]',
    'rule: a\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: b, adress: c } }]',
    'rule: a\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: b, address: { town: c } } }]',
    'rule: a\nwhen: { event: order.paid }\nthen: [{ id: a, forEach: { b: c, d: e }, do: customer.ensure, with: { name: b } }]',
  ])('refuses what Ponte refuses: %#', (document) => {
    expect(problemsOf(document)).not.toEqual([]);
    expect(refused(document)).toBeDefined();
  });
});

/** Whether it is YAML to an editor. */
function isRead(document: string): boolean {
  try {
    return parse(document) !== undefined;
  } catch {
    return false;
  }
}
