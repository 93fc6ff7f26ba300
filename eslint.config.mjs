import { defineConfig } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { architectureRules } from './scripts/check-imports.mjs';

const MODULES = ['{src,test,bench,scripts,examples}/**/*.ts'];
const CODE = ['src/**/*.ts'];
const SPECS = ['src/**/*.spec.ts'];
const TESTS = ['test/**/*.ts', ...SPECS];

const ENVIRONMENT = 'The environment is read once, in src/config; pass settings (or an env) in.';

/** Syntax that no file of ours uses. */
const banned = [
  { selector: 'ExportAllDeclaration', message: 'Export by name: no barrels.' },
  {
    selector: 'Program > ExportNamedDeclaration[source=/index$/]',
    message: 'Export by name, from where it is defined: no barrels.',
  },
];

const UNBOUNDED =
  'What is kept for the whole life of the process needs a bound: BoundedMap (kernel), lru-cache, or a constant made of literals.';

const HTML = 'What came from outside is shown as text.';

/** Memories of a module that begin empty and could grow for ever. */
const unbounded = [
  ...['Program > VariableDeclaration', 'Program > ExportNamedDeclaration > VariableDeclaration'].flatMap(
    (declaration) => [
      `${declaration} > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]`,
      `${declaration} > VariableDeclarator > ArrayExpression[elements.length=0]`,
    ],
  ),
  'PropertyDefinition[static=true] > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]',
  'PropertyDefinition[static=true] > ArrayExpression[elements.length=0]',
].map((selector) => ({ selector, message: UNBOUNDED }));

/** A test that is switched off, or that switches the others off, proves nothing. */
const switchedOff = [
  {
    selector:
      'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo|failing)$/]',
    message: 'Every test runs, in every run.',
  },
  {
    selector:
      'MemberExpression[object.object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo|failing)$/]',
    message: 'Every test runs, in every run.',
  },
  {
    selector: 'CallExpression[callee.name=/^(fit|fdescribe|ftest|xit|xdescribe|xtest)$/]',
    message: 'Every test runs, in every run.',
  },
];

export default defineConfig(
  // `npm run client:build` compiles `clients/` with the types that it makes.
  { ignores: ['dist/', 'coverage/', 'data/', '.cache/', 'src/database/client/', 'clients/'] },

  // What holds for everything written here.
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }],
      'no-debugger': 'error',
      'no-empty': 'error',
      'no-self-compare': 'error',
      'no-unreachable-loop': 'error',
      'no-unsafe-finally': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'max-lines': ['warn', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },

  // TypeScript, with types.
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // Options of a library often take a promise where its types say void.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { properties: false } }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // An `async` method without `await` is how a port's promise is kept by code that needs none.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-syntax': ['error', ...banned],
    },
  },

  // Modules: no cycles, no barrels, nothing without a name.
  {
    files: MODULES,
    plugins: { 'import-x': importX },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'] })],
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      'import-x/no-self-import': 'error',
    },
  },

  // The architecture: who may import whom (architecture.yaml), and what only some may touch.
  {
    files: CODE,
    ignores: SPECS,
    plugins: { architecture: architectureRules },
    rules: {
      'architecture/imports': 'error',
      'architecture/log-lines': 'error',
      'no-restricted-syntax': ['error', ...banned, ...unbounded],
      'import-x/no-extraneous-dependencies': ['error', { devDependencies: false }],
      'no-console': 'error',
    },
  },
  {
    files: CODE,
    ignores: [...SPECS, 'src/main.ts', 'src/cli/main.ts', 'src/config/**'],
    rules: {
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: ENVIRONMENT }],
      'no-restricted-imports': [
        'error',
        {
          paths: ['process', 'node:process'].map((name) => ({
            name,
            importNames: ['env', 'default'],
            message: ENVIRONMENT,
          })),
        },
      ],
    },
  },

  // The console runs in a browser: of the service it knows types, what is pure and the words of
  // e-mails, and nothing that it shows is taken for HTML.
  {
    files: ['console/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex:
                '^(\\.\\./)+src/(?!kernel/(calendar-date|time-zone)$|notifications/subscriptions/wording-)',
              message: 'The console imports types of the service, its days and its wordings alone.',
              allowTypeImports: true,
            },
          ],
        },
      ],
      'no-console': 'error',
      // A third of a page is its sentences, in two languages.
      'max-lines': ['warn', { max: 600, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({ property, message: HTML })),
      ],
      'no-restricted-syntax': [
        'error',
        ...banned,
        { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: HTML },
      ],
    },
  },

  // Tests read replies of unknown shape and know what they put in.
  {
    files: TESTS,
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'max-lines': ['warn', { max: 500, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...banned, ...switchedOff],
    },
  },

  // Jest looks for its global hooks under `default`.
  {
    files: ['test/support/global-*.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },

  // Last, because of two entries for one rule the later one counts.
  {
    files: MODULES.map((pattern) => pattern.replace('*.ts', 'index.ts')),
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'Program', message: 'No index.ts: name the file after what it holds.' },
      ],
    },
  },
);
