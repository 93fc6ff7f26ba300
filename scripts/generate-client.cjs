// Generates Prisma's client from prisma/schema.prisma without any engine binary: the generator needs none, the
// CLI only insists that the variable names an existing file. What is up to date is left as it is: most commands
// generate first, and each time would take seconds.
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const client = join(root, 'src', 'database', 'client');
// Prisma's compiler of queries, as the generated client loads it: WebAssembly in the text of a module.
const COMPILER = '@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.js';
const COMPILER_FILE = 'query_compiler.wasm';
// Beside the client's files, so that whoever removes them removes it too.
const stamp = join(client, '.made-from');

/** @returns {string} changes with everything that decides what the client is */
function madeFrom() {
  const hash = createHash('sha256');
  for (const file of [__filename, 'prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'])
    hash.update(readFileSync(file === __filename ? file : join(root, file)));
  return hash.digest('hex');
}

function generate() {
  return spawnSync(process.execPath, [require.resolve('prisma/build/index.js'), 'generate', '--no-hints'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json'),
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
}

/**
 * Puts the compiler into a file beside the client, which is read and let go. The module's text would stay in memory
 * for good, twice: with what decoding it takes, 9 MB.
 */
function unpackCompiler() {
  writeFileSync(join(client, 'internal', COMPILER_FILE), Buffer.from(require(COMPILER).wasm, 'base64'));
  const file = join(client, 'internal', 'class.ts');
  const asText = `    const { wasm } = await import("${COMPILER}")
    return await decodeBase64AsWasm(wasm)
`;
  const decoder = /^async function decodeBase64AsWasm\(.*?^}\n/ms;
  const generated = readFileSync(file, 'utf8');
  if (!generated.includes(asText) || !decoder.test(generated))
    throw new Error(
      'the generated client loads its compiler in another way: see scripts/generate-client.cjs',
    );
  const asFile = `    const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(\`\${__dirname}/${COMPILER_FILE}\`))
`;
  writeFileSync(file, generated.replace(decoder, '').replace(asText, asFile));
}

const wanted = madeFrom();
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) process.exit(0);
rmSync(stamp, { force: true });
const result = generate();
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`);
} else {
  unpackCompiler();
  writeFileSync(stamp, wanted);
}
process.exit(result.status ?? 1);
