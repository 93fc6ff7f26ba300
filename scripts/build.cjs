// Compiles src/ and scripts/ into dist/ with SWC: the compiler and the settings that the tests run with. Types are
// not checked, which takes a tenth of tsc's time; that is the business of `npm run typecheck`.
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');
const { transformFileSync } = require('@swc/core');

const root = join(__dirname, '..');

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * What is there already is not written again: a service may be running from it, and another about to start.
 * @returns {string} the file
 */
function put(target, content) {
  if (existsSync(target) && readFileSync(target).equals(content)) return target;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  return target;
}

/** @returns {string[]} the files that belong to `dist/` */
function compile(source) {
  const target = join(root, 'dist', relative(root, source).replace(/\.ts$/, '.js'));
  const { code, map } = transformFileSync(source, {
    cwd: root,
    // Left as it is, `import()` loads ES modules too.
    module: { type: 'commonjs', ignoreDynamic: true },
    sourceMaps: true,
    sourceFileName: relative(dirname(target), source),
  });
  return [
    put(target, Buffer.from(`${code}//# sourceMappingURL=${basename(target)}.map\n`)),
    put(`${target}.map`, Buffer.from(map)),
  ];
}

/** @returns {string} the file that belongs to `dist/` */
function copy(source) {
  return put(join(root, 'dist', relative(root, source)), readFileSync(source));
}

const files = ['src', 'scripts'].flatMap(filesBelow);
const sources = files.filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.endsWith('.d.ts'),
);
const built = new Set(sources.flatMap(compile));
for (const file of files.filter((file) => file.endsWith('.wasm'))) built.add(copy(file));
// What an earlier build left of files that are gone. Not emptied beforehand: a service may be running from it.
// `dist/console` is made by build-console.mjs.
const madeElsewhere = join(root, 'dist/console/');
for (const file of filesBelow('dist')) if (!built.has(file) && !file.startsWith(madeElsewhere)) rmSync(file);
