// Has `require` compile the TypeScript files of this repository. What was compiled of a file is kept, so that of the
// many processes and threads that tests start, only the first compiles it. Types are not checked here.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');

const root = join(__dirname, '..');
/** One file for each source, named by its path; `.cache` may be removed at any time. */
const folder = join(root, '.cache', 'compiled');

function digestOf(...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** @returns {string | undefined} what was compiled, if it was of these very bytes with this very compiler */
function keptIn(file, digest) {
  try {
    const text = readFileSync(file, 'utf8');
    return text.endsWith(digest) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, whoever else writes it. A disk that refuses costs time and nothing else. */
function keep(file, text) {
  const partial = `${file}.${process.pid}.${threadId}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(partial, text);
    renameSync(partial, file);
  } catch {
    return;
  }
}

exports.compileOnLoad = () => {
  const { version } = require('@swc/core/package.json');
  const settings = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  // `import()` stays what it is: some libraries are ES modules only.
  const options = { ...settings, module: { ...settings.module, ignoreDynamic: true }, swcrc: false };
  const compiler = JSON.stringify([version, options]);
  require.extensions['.ts'] = (module, filename) => {
    const source = readFileSync(filename, 'utf8');
    const digest = digestOf(compiler, filename, source);
    const file = join(folder, `${digestOf(filename)}.js`);
    let text = keptIn(file, digest);
    if (text === undefined) {
      // Loaded only where it is needed: that alone takes a tenth of a second.
      const { code } = require('@swc/core').transformSync(source, { ...options, filename });
      text = `${code}\n// ${digest}`;
      keep(file, text);
    }
    module._compile(text, filename);
  };
};
