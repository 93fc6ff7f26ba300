import type { OpenAPIObject } from '@nestjs/swagger';
import { DescribedXml, XmlMisfit, type Schema as XmlSchema } from '../../support/described-xml';
import { HOSTILE_XML } from '../../support/hostile-xml';
import type { Random } from '../../support/random';
import type { Request } from './exchange';
import { EXTREMES } from './mutants';
import {
  ACCEPTS,
  DATES,
  FUNCTIONS,
  LITERALS,
  MEDIA_TYPES,
  METHODS,
  ODD_PATHS,
  ODD_QUERIES,
  OPERATORS,
  SUMS,
  TEXTS,
  WHOLE_NUMBERS,
} from './odd-values';

interface Schema extends XmlSchema {
  format?: string;
  enum?: unknown[];
  example?: unknown;
  minimum?: number;
  maximum?: number;
  required?: string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}

interface Described {
  method: string;
  path: string;
  parameters: Parameter[];
  content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
  /** Names of the members of what it answers: a filter speaks of these. */
  fields: string[];
}

/** What requests are made with. */
export interface Means {
  /** Keys by the scope they have; a request is sent with one of them, or with none. */
  keys: Readonly<Record<string, string>>;
  /** Identifiers of records, by what a parameter or member that names one is called. */
  ids: Readonly<Record<string, readonly string[]>>;
  /** Slugs and identifiers of organizations that may be changed at will. */
  organizations: readonly string[];
}

/** Requests made of the service's own description: some as described, most of them not quite. */
export class DescribedRequests {
  private readonly operations: Described[];
  private readonly xml: DescribedXml;

  constructor(
    private readonly document: OpenAPIObject,
    private readonly means: Means,
    private readonly random: Random,
  ) {
    this.xml = new DescribedXml(document.components?.schemas ?? {});
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>)
        // Live events end after a quarter of an hour.
        .filter(([, { responses }]) => !responses?.['200']?.content?.['text/event-stream'])
        .map(([method, operation]) => described(document, path, method, operation)),
    );
  }

  /** Every operation in turn, so that each gets its share. */
  request(index: number): Request {
    const operation = this.operations[index % this.operations.length] as Described;
    const query = this.queryOf(operation);
    const hasBody = Object.keys(operation.content).length > 0 || this.chance(0.03);
    const { mediaType, body } = hasBody ? this.bodyOf(operation) : {};
    const method = this.chance(0.03) ? this.random.pick(METHODS) : operation.method;
    return {
      method,
      path: `${this.pathOf(operation)}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...this.credentials(operation),
        ...(mediaType !== undefined && { 'content-type': mediaType }),
        ...(this.chance(0.12) && { accept: this.random.pick(ACCEPTS) }),
        ...this.headersOf(operation),
      },
      // What TRACE and some others may not have, Node refuses to send.
      ...(body !== undefined && { body }),
      patienceMs: 60_000,
    };
  }

  private chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  private pathOf({ path }: Described): string {
    const made = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (this.chance(0.08)) return this.random.pick(ODD_PATHS);
      if (name === 'org' || name === 'organization')
        return path.endsWith('/finance') ? 'elsewhere' : this.random.pick(this.means.organizations);
      const known = this.means.ids[`${path} ${name}`] ?? this.means.ids[name] ?? this.means.ids['any'] ?? [];
      return encodeURIComponent(this.random.pick(known));
    });
    return this.chance(0.02) ? `${made}/` : this.chance(0.02) ? made.toUpperCase() : made;
  }

  private queryOf(operation: Described): string {
    const pairs = operation.parameters
      .filter(({ in: place }) => place === 'query')
      .filter(({ name }) => this.chance(name === 'Organization' ? 0.05 : 0.3))
      .map(({ name, schema }) => `${name}=${this.parameterOf(operation, name, schema)}`);
    if (this.chance(0.05)) pairs.push(...pairs);
    if (this.chance(0.03))
      pairs.push(this.random.pick(['%', '&&&', 'a=1', '__proto__=1', '$top', '%24top=1', 'x[]=1']));
    return pairs.join('&');
  }

  private parameterOf(operation: Described, name: string, schema: Schema): string {
    if (name === '$filter') return encodeURIComponent(this.filterOf(operation.fields, 3));
    if (name === '$orderby') {
      const field = operation.fields.length > 0 ? this.random.pick(operation.fields) : 'x';
      return encodeURIComponent(
        this.random.pick([field, `${field} desc`, `${field} asc,${field}`, 'x/y', ',', `${field} up`]),
      );
    }
    // Long polls would take half a minute each.
    if (name === 'wait') return this.random.pick(['0', '1', '-1', 'x', '31', '1e9']);
    if (this.chance(0.5)) return this.random.pick(ODD_QUERIES);
    if (schema.enum) return encodeURIComponent(String(this.random.pick(schema.enum)));
    if (name.startsWith('$') || schema.type === 'integer') return String(this.random.between(0, 600));
    if (/from|to/.test(name)) return encodeURIComponent(this.random.pick(DATES));
    return encodeURIComponent(this.wellFormed(this.random.pick(this.means.ids['any'] ?? TEXTS)));
  }

  /** `$filter` as OData has it, with operands that do not always go together. */
  private filterOf(fields: readonly string[], depth: number): string {
    const field = fields.length > 0 && this.chance(0.9) ? this.random.pick(fields) : 'nothing';
    const literal = this.wellFormed(this.random.pick(LITERALS));
    const roll = this.random.next();
    if (depth > 0 && roll < 0.25)
      return `(${this.filterOf(fields, depth - 1)}) ${this.random.pick(['and', 'or', 'xor'])} ${this.filterOf(fields, depth - 1)}`;
    if (depth > 0 && roll < 0.3) return `not (${this.filterOf(fields, depth - 1)})`;
    if (roll < 0.5) return `${this.random.pick(FUNCTIONS)}(${field},${literal})`;
    if (roll < 0.53) return '('.repeat(this.random.between(1, 3_000)) + field;
    if (roll < 0.56)
      return this.random.pick(['', ' ', 'and', 'eq eq eq', "'", `${field} eq`, '@', '\u00e9 eq 1']);
    return `${field} ${this.random.pick(OPERATORS)} ${literal}`;
  }

  private headersOf({ parameters, path }: Described): Record<string, string> {
    const named = parameters
      .filter(({ in: place }) => place === 'header')
      .filter(() => this.chance(0.3))
      .map(({ name }) => [name, this.headerOf(name)]);
    if (path.startsWith('/feed') && this.chance(0.1))
      named.push(['prefer', this.random.pick(['wait=1', 'wait=x', ';', 'wait=-1'])]);
    return Object.fromEntries(named) as Record<string, string>;
  }

  private headerOf(name: string): string {
    if (name === 'Prefer')
      return this.random.pick(['wait=1', 'wait="0"', 'respond-async, wait=0', '=', 'wait=1e9']);
    if (name === 'If-None-Match')
      return this.random.pick(['*', '"a"', 'W/"a", "b"', '"', ','.repeat(500), 'x'.repeat(5_000)]);
    return this.random.pick([
      'key-1',
      'key-2',
      '',
      ' ',
      'x'.repeat(255),
      'x'.repeat(256),
      '\u00e9',
      `k${this.random.between(0, 50)}`,
    ]);
  }

  /** Mostly a key that may; also those that may not, and none. */
  private credentials({ path }: Described): Record<string, string> {
    const fitting = path.startsWith('/admin') ? 'operators' : path.startsWith('/feed') ? 'feed' : 'finance';
    const scope = this.chance(0.88) ? fitting : this.random.pick(Object.keys(this.means.keys));
    const key = this.means.keys[scope] ?? '';
    if (this.chance(0.02)) return {};
    if (!path.startsWith('/admin') && this.chance(0.3)) return { apitoken: key };
    return { authorization: `Bearer ${key}` };
  }

  private bodyOf({ content, method, path }: Described): { mediaType?: string; body?: string | Buffer } {
    const described = Object.keys(content);
    const mediaType = described.length > 0 ? this.random.pick(described) : 'application/json';
    const { schema, examples } = content[mediaType] ?? { schema: {} };
    const sent = this.chance(0.08) ? this.random.pick(MEDIA_TYPES) : mediaType;
    // Some have no body on purpose; GET and HEAD none that anybody reads.
    if (this.chance(0.03)) return method === 'DELETE' ? {} : { mediaType: sent };
    const example = Object.values(examples ?? {})[0]?.value;
    const value =
      example !== undefined && this.chance(0.4) ? this.varied(example) : this.valueOf(schema, '', 0);
    const json = this.textOf(value);
    const xml = mediaType.endsWith('xml') ? this.xmlOf(schema, json) : undefined;
    if (path.includes('/rules') && this.chance(0.5)) return { mediaType: sent, body: this.ruleText() };
    return { mediaType: sent, body: this.garbled(xml ?? json) };
  }

  private xmlOf(schema: Schema, json: string): string {
    if (this.chance(0.15)) return this.random.pick(HOSTILE_XML).body.toString('utf8');
    try {
      return this.xml.write(schema, JSON.parse(json));
    } catch (error) {
      if (error instanceof XmlMisfit || error instanceof SyntaxError)
        return `<a><name>${json.replaceAll('<', '')}</name></a>`;
      throw error;
    }
  }

  private ruleText(): string {
    const rule = `rule: fuzz-${this.random.between(1, 5)}\nwhen:\n  event: order.paid\n`;
    return this.random.pick([
      `${rule}then:\n  - id: customer\n    do: customer.ensure\n    with:\n      name: \${order.customer.name}\n`,
      `${rule}  all:\n    - ${this.random.pick(['order.total > 1', '1 / 0 == 1', '"a" * 3', 'order.x.y.z', '[1,2,3].map(x, x)', '((((('])}\nthen: []\n`,
      `${rule}let:\n  a: ${this.random.pick(EXTREMES)}\nthen: ${this.random.pick(EXTREMES)}\n`,
      ...[
        '&a [*a, *a]',
        'a: &x 1\nb: *y',
        '? {a: 1}\n: 2',
        '!!js/function "x"',
        '---\n---\n',
        '\t',
        'a: [',
        '<<: 1',
      ],
      ...[
        '{"rule": 1}',
        '[]',
        'null',
        '0x1',
        `${'['.repeat(400)}`,
        `${'- '.repeat(400)}`,
        `a: "${'x'.repeat(70_000)}"`,
      ],
      `{${Array.from({ length: 300 }, () => 'a: 1').join(', ')}}`,
    ]);
  }

  /** JSON text in which some strings of the tree stand for values that JavaScript has not. */
  private textOf(value: unknown): string {
    return (JSON.stringify(value) ?? 'null').replace(
      /"@@raw:((?:[^"\\]|\\.)*)@@"/g,
      (_, raw: string) => JSON.parse(`"${raw}"`) as string,
    );
  }

  private garbled(text: string): string | Buffer {
    const roll = this.random.next();
    if (roll > 0.12) return text;
    return this.random.pick([
      () => text.slice(0, this.random.between(0, text.length)),
      () => `${text}${text}`,
      () => `\ufeff${text}`,
      () => Buffer.from(text, 'utf16le'),
      () => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0])]),
      () => text.replace(/[:{[<]/, ''),
      () => '['.repeat(50_000),
      () => text + ' '.repeat(this.random.pick([1_000, 1_048_570, 1_048_577])),
      () => '{'.padEnd(200_000, '"a":1,'),
      () => '',
    ])();
  }

  private varied(value: unknown): unknown {
    const copy = structuredClone(value);
    if (typeof copy !== 'object' || copy === null) return copy;
    for (const key of Object.keys(copy)) {
      const id = this.idFor(key);
      if (id !== undefined && this.chance(0.9)) Reflect.set(copy, key, id);
      else if (this.chance(0.12)) Reflect.set(copy, key, this.raw(this.random.pick(EXTREMES)));
      else if (this.chance(0.06)) Reflect.deleteProperty(copy, key);
      else if (this.chance(0.3)) Reflect.set(copy, key, this.varied(Reflect.get(copy, key)));
    }
    return copy;
  }

  private valueOf(given: Schema, name: string, depth: number): unknown {
    if (this.chance(0.05)) return this.raw(this.random.pick(EXTREMES));
    const schema = resolved(this.document, given);
    const id = this.idFor(name);
    if (id !== undefined && this.chance(0.9)) return id;
    if (schema.enum) return this.random.pick(schema.enum);
    const types = [schema.type].flat();
    if (types.includes('null') && this.chance(0.2)) return null;
    if (types.includes('array'))
      return depth > 5
        ? []
        : Array.from({ length: this.random.pick([0, 1, 2, 3, 130]) }, () =>
            this.valueOf(schema.items ?? {}, name, depth + 2),
          );
    if (types.includes('boolean')) return this.chance(0.5);
    if (types.includes('integer')) return this.raw(this.random.pick(WHOLE_NUMBERS));
    if (types.includes('number')) return this.raw(this.random.pick(SUMS));
    if (types.includes('string'))
      return /^date/.test(schema.format ?? '') ? this.random.pick(DATES) : this.random.pick(TEXTS);
    if (!schema.properties) return depth > 3 ? {} : { a: this.valueOf({ type: 'string' }, 'a', depth + 1) };
    const required = schema.required ?? [];
    const members = Object.entries(schema.properties)
      .filter(([member]) => this.chance(required.includes(member) ? 0.95 : depth > 3 ? 0.1 : 0.4))
      .map(([member, one]) => [member, this.valueOf(one, member, depth + 1)] as const);
    if (this.chance(0.05))
      members.push([this.random.pick(['__proto__', '', 'unknown', 'ID', 'x'.repeat(300)]), 1]);
    return Object.fromEntries(members);
  }

  private idFor(name: string): string | undefined {
    const known = this.means.ids[name];
    return known && known.length > 0 ? this.random.pick(known) : undefined;
  }

  private raw(text: string): string {
    return `@@raw:${text}@@`;
  }

  /** Half a surrogate cannot be percent-encoded. */
  private wellFormed(text: string): string {
    return text.toWellFormed();
  }
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Described['content'] };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

function described(document: OpenAPIObject, path: string, method: string, operation: Operation): Described {
  return {
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters ?? [],
    content: operation.requestBody?.content ?? {},
    fields: fieldsOf(document, operation.responses['200']?.content?.['application/json']?.schema ?? {}),
  };
}

/** Of a record, or of the records of a list; those of records within have their path: `stakeholder/name`. */
function fieldsOf(document: OpenAPIObject, given: Schema, depth = 0): string[] {
  const schema = resolved(document, given);
  if (schema.items) return fieldsOf(document, schema.items, depth);
  const { items } = schema.properties ?? {};
  if (items && depth === 0) return fieldsOf(document, items);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    depth > 1 ? [name] : [name, ...fieldsOf(document, member, depth + 1).map((below) => `${name}/${below}`)],
  );
}

function resolved(document: OpenAPIObject, schema: Schema): Schema {
  const some = schema.allOf?.[0] ?? schema.anyOf?.find(({ type }) => type !== 'null');
  if (some) return resolved(document, some);
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  return resolved(document, document.components?.schemas?.[name] ?? {});
}
