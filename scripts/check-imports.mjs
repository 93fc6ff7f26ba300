// ESLint's part in guarding the architecture: a rule that holds every import against architecture.yaml. It works on
// paths alone (our imports are relative and name a file), so it needs no types, no resolver and no other file.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { logLines } from './check-log-lines.mjs';

const TABLE = join(import.meta.dirname, '../architecture.yaml');

/**
 * @typedef {{ name: string, files: string[], holds: string, mayImport: string[] }} Module
 * @typedef {{ name: string, libraries: string[], names?: string[], onlyIn?: string[], notIn?: string[], because: string }} RestrictedImport
 * @returns {{ modules: Module[], restrictedImports: RestrictedImport[] }} the table as written
 */
export function readArchitecture(path = TABLE) {
  return parse(readFileSync(path, 'utf8'));
}

const WILDCARDS = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' };

/** `*` is anything within a path segment, `**` any number of segments, none included. */
function toRegExp(pattern) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*/g, (wildcard) => WILDCARDS[wildcard]);
  return new RegExp(`^${source}$`);
}

function matcher(patterns) {
  const expressions = patterns.map(toRegExp);
  return (text) => expressions.some((expression) => expression.test(text));
}

function compile({ modules, restrictedImports }) {
  return {
    modules: modules.map((module) => ({ ...module, contains: matcher(module.files) })),
    restrictedImports: restrictedImports.map((restricted) => ({
      ...restricted,
      matches: matcher(restricted.libraries),
      restrictedNames: restricted.names && matcher(restricted.names),
      mayImport: restricted.onlyIn ? matcher(restricted.onlyIn) : (file) => !matcher(restricted.notIn)(file),
    })),
  };
}

/** The file or package an import names: `src/kernel/money.ts`, or the specifier of a package as it stands. */
function targetOf(specifier, file) {
  if (!specifier.startsWith('.')) return specifier.replace(/^node:/, '');
  const path = resolve('/', dirname(file), specifier).slice(1).split(sep).join('/');
  if (/\.([cm]?ts|json)$/.test(path)) return path;
  return `${path.replace(/\.[cm]?js$/, '')}.ts`;
}

/** The packages a specifier may be listed as: `@scope/name/deep` is also `@scope/name`. */
function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const NAMESPACE = '*';

/** The names a statement takes from its source; `*` for all of them, unseen. */
function namesOf({ specifiers }) {
  return specifiers.map((specifier) => {
    if (specifier.type === 'ImportNamespaceSpecifier') return NAMESPACE;
    if (specifier.type === 'ImportDefaultSpecifier') return 'default';
    const named = specifier.imported ?? specifier.local;
    return named.name ?? named.value;
  });
}

/** What is wrong with one import of `file`, as sentences. */
function* faults(architecture, file, specifier, names) {
  const target = targetOf(specifier, file);
  if (specifier.startsWith('.')) yield* moduleFaults(architecture, file, target);
  const asPackage = specifier.startsWith('.') ? target : packageOf(target);
  for (const restricted of architecture.restrictedImports) {
    if (!restricted.matches(target) && !restricted.matches(asPackage)) continue;
    if (restricted.mayImport(file)) continue;
    const hit = restricted.restrictedNames
      ? names.find((name) => name === NAMESPACE || restricted.restrictedNames(name))
      : target;
    if (hit === undefined) continue;
    const what = hit === NAMESPACE ? `the whole of ${target}, which may hide ${restricted.name}` : hit;
    yield `Not to be imported here: ${what} (${whereabouts(restricted)}), because ${restricted.because} (architecture.yaml).`;
  }
}

function whereabouts({ onlyIn, notIn }) {
  if (notIn) return `not in ${notIn.join(', ')}`;
  return onlyIn.length > 0 ? `only in ${onlyIn.join(', ')}` : 'nowhere';
}

function* moduleFaults(architecture, file, target) {
  const own = architecture.modules.find((module) => module.contains(file));
  const other = architecture.modules.find((module) => module.contains(target));
  if (!own) return;
  if (/\.spec\.ts$/.test(target)) yield 'A spec is imported by nothing.';
  else if (!other) yield `"${own.name}" may not import ${target}, which lies in no module of src/.`;
  else if (own !== other && !own.mayImport.includes(other.name)) {
    const allowed = own.mayImport.join(', ') || 'nothing of ours';
    yield `"${own.name}" may not import "${other.name}" (${target}); it may import: ${allowed} (architecture.yaml).`;
  }
}

const architecture = compile(readArchitecture());

/**
 * Every way a module can be named, and the node that names it. (`require`, `import x = require()` and
 * `typeof import()` are refused by typescript-eslint's own rules.)
 */
function visitors(check) {
  const visit = ({ source }, names) =>
    source && check(source, typeof source.value === 'string' ? source.value : undefined, names);
  return {
    ImportDeclaration: (node) => visit(node, namesOf(node)),
    ExportNamedDeclaration: (node) => visit(node, namesOf(node)),
    ExportAllDeclaration: (node) => visit(node, [NAMESPACE]),
    ImportExpression: (node) => visit(node, [NAMESPACE]),
  };
}

const imports = {
  meta: { type: 'problem', schema: [], docs: { description: 'hold every import against architecture.yaml' } },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const known = architecture.modules.some((module) => module.contains(file));
    return {
      Program(node) {
        if (!known)
          context.report({ node, message: `${file} lies in no module: add one to architecture.yaml.` });
      },
      ...visitors((node, specifier, names) => {
        if (specifier === undefined) {
          context.report({ node, message: 'Name the module in plain text, so that it can be checked.' });
          return;
        }
        for (const message of faults(architecture, file, specifier, names)) context.report({ node, message });
      }),
    };
  },
};

export const architectureRules = {
  meta: { name: 'architecture' },
  rules: { imports, 'log-lines': logLines },
};
