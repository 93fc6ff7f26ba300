// Preloaded into the service and its threads (`node --require`): the disk below DATA_DIR has as much room as a file says, in bytes.
// What would make a file longer than that leaves room for ends with ENOSPC, as on a real disk; what is written over
// what is there does not, unless the file says `none`: then every write fails, as where a file system copies what it changes.
// Without the file there is room.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { resolve, sep } = require('node:path');
const { getEnvironmentData, isMainThread, setEnvironmentData } = require('node:worker_threads');

// The thread of the embedded database has no environment.
if (isMainThread)
  setEnvironmentData('no-room', { dataDir: process.env.DATA_DIR, roomFile: process.env.ADVERSARY_ROOM });
const { dataDir, roomFile } = getEnvironmentData('no-room');
const root = resolve(dataDir) + sep;
const real = { ...fs };
const promises = { ...fs.promises };
/** Bytes that this thread added below the directory since the room was named, and by which text it was. */
let used = 0;
let named = '';

function room() {
  let text;
  try {
    text = real.readFileSync(roomFile, 'utf8').trim();
  } catch {
    return Infinity;
  }
  if (text !== named) [named, used] = [text, 0];
  return text === 'none' ? -1 : Number(text) - used;
}

/** @param bytes by which a file would grow */
function take(bytes, syscall) {
  const left = room();
  if (bytes <= 0 && left >= 0) return;
  if (bytes > left)
    throw Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), {
      errno: -28,
      code: 'ENOSPC',
      syscall,
    });
  used += Math.max(0, bytes);
}

const below = (path) => typeof path === 'string' && (resolve(path) + sep).startsWith(root);

/** What descriptors lead to. */
const isOurs = (fd) => {
  try {
    return below(real.readlinkSync(`/proc/self/fd/${fd}`));
  } catch {
    return false;
  }
};

function grow(fd, end, syscall) {
  if (isOurs(fd)) take(Math.max(0, end - real.fstatSync(fd).size), syscall);
}

fs.writeSync = function writeSync(fd, buffer, ...rest) {
  const [offset, length, position] =
    typeof rest[0] === 'object' && rest[0] ? [rest[0].offset, rest[0].length, rest[0].position] : rest;
  if (typeof buffer !== 'string') {
    const bytes = length ?? buffer.byteLength - (offset ?? 0);
    const start = typeof position === 'number' ? position : real.fstatSync(fd).size;
    grow(fd, start + bytes, 'write');
  }
  return real.writeSync(fd, buffer, ...rest);
};
fs.ftruncateSync = function ftruncateSync(fd, length = 0) {
  grow(fd, length, 'ftruncate');
  return real.ftruncateSync(fd, length);
};
fs.truncateSync = function truncateSync(path, length = 0) {
  if (below(path)) take(length - real.statSync(path).size, 'truncate');
  return real.truncateSync(path, length);
};
for (const name of ['writeFileSync', 'appendFileSync', 'mkdirSync']) {
  fs[name] = function (path, ...rest) {
    if (below(path)) take(name === 'mkdirSync' ? 4096 : Buffer.byteLength(rest[0]), 'write');
    return real[name](path, ...rest);
  };
}
fs.promises.writeFile = async function writeFile(path, data, ...rest) {
  if (below(path)) take(Buffer.byteLength(data), 'write');
  return promises.writeFile.call(fs.promises, path, data, ...rest);
};

/** As much is free as there is room. */
function lessRoom(found) {
  const left = room();
  if (left === Infinity) return found;
  const blocks = Math.max(0, Math.floor(left / Number(found.bsize)));
  const as = (number) => (typeof found.bsize === 'bigint' ? BigInt(number) : number);
  return Object.assign(Object.create(Object.getPrototypeOf(found)), found, {
    bavail: as(blocks),
    bfree: as(blocks),
  });
}
fs.statfsSync = (path, ...rest) =>
  below(path) ? lessRoom(real.statfsSync(path, ...rest)) : real.statfsSync(path, ...rest);
fs.promises.statfs = async (path, ...rest) =>
  below(path) ? lessRoom(await promises.statfs(path, ...rest)) : promises.statfs(path, ...rest);
fs.statfs = (path, ...rest) => {
  const done = rest.pop();
  real.statfs(path, ...rest, (error, found) => done(error, error || !below(path) ? found : lessRoom(found)));
};
syncBuiltinESMExports();
