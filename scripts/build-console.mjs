// Makes dist/console of console/ with Vite: one page, its scripts and styles, each compressed beforehand. What was made of
// the same files with the same packages before is left as it is.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'console');
/** What the console takes from the service beside its types. */
const SHARED = [join(ROOT, 'src/kernel'), join(ROOT, 'src/notifications/subscriptions')];
const TARGET = join(ROOT, 'dist/console');
const DIGEST = 'made-of';
/** Bytes below which a file is not worth compressing. */
const SMALL = 512;
/** Bytes of all files together as browsers are sent them: a guard against a library that slips in, with room for sentences. */
const MOST = 210_000;

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function digest() {
  const hash = createHash('sha256');
  for (const file of [
    ...[SOURCES, ...SHARED].flatMap(filesBelow),
    join(ROOT, 'package-lock.json'),
    import.meta.filename,
  ])
    hash.update(`${relative(ROOT, file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/** @returns bytes of all files together as browsers are sent them */
function compress(folder) {
  let sent = 0;
  for (const file of filesBelow(folder)) {
    const content = readFileSync(file);
    if (content.length < SMALL) {
      sent += content.length;
      continue;
    }
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    const small = brotliCompressSync(content, { params });
    writeFileSync(`${file}.br`, small);
    sent += small.length;
  }
  return sent;
}

const madeOf = digest();
const before = join(TARGET, DIGEST);
if (!existsSync(before) || readFileSync(before, 'utf8') !== madeOf) {
  const draft = `${TARGET}.${process.pid}`;
  try {
    await build({ configFile: join(SOURCES, 'vite.config.mjs'), logLevel: 'warn', build: { outDir: draft } });
    const sent = compress(draft);
    if (sent > MOST)
      throw new Error(`the console takes ${sent} bytes, compressed; at most ${MOST} are wanted`);
    writeFileSync(join(draft, DIGEST), madeOf);
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    // A service may be running from it: it has a page for a moment in which its new files are not there, and none without.
    rmSync(TARGET, { recursive: true, force: true });
    renameSync(draft, TARGET);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
