// Required by a process and its threads before anything else: `node --require test/support/failing-thread.cjs`. A thread
// fails, as by a bug that nobody catches, once the environment data `failing-thread`, four bytes of shared memory, say so.
const { getEnvironmentData } = require('node:worker_threads');

const shared = getEnvironmentData('failing-thread');

if (shared) {
  const flag = new Int32Array(shared);
  setInterval(() => {
    if (Atomics.load(flag, 0) === 1) throw new Error('a bug in the thread');
  }, 5).unref();
}
