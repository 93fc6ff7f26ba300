// Compiles src/ and scripts/ into dist/ with SWC: the compiler and the settings that the tests run with. Types are
// not checked, which takes a tenth of tsc's time; that is the business of `npm run typecheck`.
const { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');
const { transformFileSync } = require('@swc/core');

const root = join(__dirname, '..');

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @returns {string[]} the files written */
function compile(source) {
  const target = join(root, 'dist', relative(root, source).replace(/\.ts$/, '.js'));
  const { code, map } = transformFileSync(source, {
    cwd: root,
    // Left as it is, `import()` loads ES modules too.
    module: { type: 'commonjs', ignoreDynamic: true },
    sourceMaps: true,
    sourceFileName: relative(dirname(target), source),
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  writeFileSync(`${target}.map`, map);
  return [target, `${target}.map`];
}

/** @returns {string} the file written */
function copy(source) {
  const target = join(root, 'dist', relative(root, source));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
  return target;
}

const files = ['src', 'scripts'].flatMap(filesBelow);
const sources = files.filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.endsWith('.d.ts'),
);
const written = new Set(sources.flatMap(compile));
for (const file of files.filter((file) => file.endsWith('.wasm'))) written.add(copy(file));
// What an earlier build left of files that are gone. Not emptied beforehand: a service may be running from it.
for (const file of filesBelow('dist')) if (!written.has(file)) rmSync(file);
