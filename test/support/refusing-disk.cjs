// Required by a process and its threads before anything else: `node --require test/support/refusing-disk.cjs`. In a thread,
// from when the environment data `refusing-disk` say so, the system refuses to write files whose path contains `files`, with
// the error `code`, as a full disk does: whatever makes a file longer or writes to it fails.
const fs = require('node:fs');
const { getEnvironmentData } = require('node:worker_threads');

const disk = getEnvironmentData('refusing-disk');

if (disk) {
  const { code, files, shared } = disk;
  const { openSync, writeSync, ftruncateSync } = fs;
  const flag = new Int32Array(shared);
  const refused = new Set();
  const refuse = () => {
    throw Object.assign(new Error(`${code}: refused`), { code, syscall: 'write' });
  };
  const isRefused = (file) => Atomics.load(flag, 0) === 1 && refused.has(file);
  fs.openSync = (path, flags, mode) => {
    const file = openSync(path, flags, mode);
    if (String(path).includes(files)) refused.add(file);
    else refused.delete(file);
    return file;
  };
  fs.writeSync = (file, ...rest) => (isRefused(file) ? refuse() : writeSync(file, ...rest));
  fs.ftruncateSync = (file, length) => (isRefused(file) ? refuse() : ftruncateSync(file, length));
}
