import type { OpenAPIObject } from '@nestjs/swagger';
import { CHANGE_TYPES } from '../../src/feed/changes/change-types';
import { PROBLEMS } from '../../src/kernel/problem';
import { describeActions, type InputDescription } from '../../src/rules/actions/registry';
import { PROVIDERS } from '../../src/sources/registry';
import type { SourceProvider } from '../../src/sources/source';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Parameter {
  name: string;
  in: string;
}

/** Everything by name, in tables, out of the code itself: what `docs/reference.md` contains. */
export function referencePage(
  document: OpenAPIObject,
  providers: readonly SourceProvider[] = PROVIDERS,
): string {
  return [
    '# Reference',
    'Everything by its name. This page is written by `npm run docs:reference` out of the code; a test holds the two ' +
      'together. Shapes of bodies and replies stand in the OpenAPI description, `/openapi.json` of a running Ponte, with pages for ' +
      'reading at `/docs`.',
    '## HTTP operations',
    ...operations(document),
    '## Problems',
    'A refusal is a problem document; its `type` ends with one of these codes.',
    table(
      ['code', 'status', 'means'],
      Object.entries(PROBLEMS).map(([code, { status, title }]) => [`\`${code}\``, String(status), title]),
    ),
    '## Changes in the feed',
    table(
      ['type', 'when', '`data`'],
      Object.entries(CHANGE_TYPES).map(([type, { means, data }]) => [`\`${type}\``, means, data]),
    ),
    '## Actions of rules',
    ...describeActions().flatMap(({ name, description, undo, asks, key, input, output }) => [
      `### ${name}`,
      `${description} Its key ${key.required ? 'is needed' : 'may be left out'}: ${key.description}.`,
      `To undo it: ${undo}. Of a finance service elsewhere it asks ${asks.map((id) => `\`${id}\``).join(', ') || 'nothing'}.`,
      table(
        ['input', 'type', 'needed', 'meaning'],
        input.flatMap((field) => inputRows(field)),
      ),
      table(
        ['output', 'type', 'meaning'],
        output.map((field) => [`\`${field.name}\``, `\`${field.type}\``, field.description]),
      ),
    ]),
    '## Settings of sources',
    ...providers.flatMap(({ id, title, settings }) => [
      `### ${title} (\`${id}\`)`,
      table(
        ['setting', 'type', 'needed', 'meaning'],
        Object.entries(settings).map(([name, { type, required = false, description }]) => [
          `\`${name}\``,
          type,
          yesOrNo(required),
          description,
        ]),
      ),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function operations(document: OpenAPIObject): string[] {
  const byTag = new Map<string, string[][]>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation || 'x-alias-of' in operation) continue;
      const tag = operation.tags?.[0] ?? 'others';
      const query = ((operation.parameters ?? []) as Parameter[])
        .filter((parameter) => parameter.in === 'query' && !/^(apitoken|Organization)$/i.test(parameter.name))
        .map(({ name }) => `\`${name}\``);
      const row = [`\`${method.toUpperCase()} ${path}\``, operation.summary ?? '', query.join(', ')];
      byTag.set(tag, [...(byTag.get(tag) ?? []), row]);
    }
  }
  return [...byTag]
    .sort(([left], [right]) => left.localeCompare(right))
    .flatMap(([tag, rows]) => [`### ${tag}`, table(['operation', 'what it does', 'query'], rows)]);
}

function inputRows(
  { name, type, required, description, fields = [] }: InputDescription,
  within = '',
): string[][] {
  const path = within + name;
  const inside = type.startsWith('list<') ? `${path}[].` : `${path}.`;
  return [
    [`\`${path}\``, `\`${type}\``, yesOrNo(required), description],
    ...fields.flatMap((field) => inputRows(field, inside)),
  ];
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : '';
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
