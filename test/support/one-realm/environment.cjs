// One realm for all test files of a worker. Jest makes a new one for every file, in which every library is compiled
// and evaluated again: that took longer than the tests. See docs/adr/0085-let-the-test-files-of-a-worker-share-their-modules.md.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

/** What jest-circus keeps of a file in the realm; its own module, evaluated for each file, makes it anew. */
const OF_ONE_FILE = /^Symbol\((EVENT_HANDLERS|JEST_STATE_SYMBOL|TEST_TIMEOUT_SYMBOL|.*RETRY.*)\)$/;

/**
 * The storages of asynchronous context that the file used. Each database and each file has one of its own, and Node 20
 * calls every one of them for every promise until it is disabled.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...parameters) {
  storages.add(this);
  return run.apply(this, parameters);
};

/**
 * Takes the functions out of a file's tests and hooks, and the errors that say where they stand. Whatever Node made while
 * one ran, a socket or a timer that stays, keeps that test as its context. The function keeps every variable of the file,
 * and so does the error, with the functions on its stack.
 */
function emptyOut({ hooks = [], children = [] }) {
  for (const each of [...hooks, ...children]) {
    each.fn = each.asyncError = undefined;
    emptyOut(each);
  }
}

/** The environment of this worker, once a file has asked for it. */
let kept;

/** Node's environment, made for the first file and handed to all others with the variables that the first found. */
class OneRealm extends NodeEnvironment {
  constructor(config, context) {
    if (kept) return kept;
    super(config, context);
    this.variables = { ...this.global.process.env };
    this.exit = this.global.process.exit;
    kept = this;
  }

  async teardown() {
    this.fakeTimersModern.useRealTimers();
    // Jest puts one of the file around it, which keeps the file's configuration.
    this.global.process.exit = this.exit;
    const { env } = this.global.process;
    for (const name of Object.keys(env)) delete env[name];
    Object.assign(env, this.variables);
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      if (!OF_ONE_FILE.test(String(symbol))) continue;
      const { rootDescribeBlock } = this.global[symbol] ?? {};
      if (rootDescribeBlock) emptyOut(rootDescribeBlock);
      delete this.global[symbol];
    }
    // Jest keeps them until the realm ends, and with them every variable of the file's tests.
    this._globalProxy.leftovers = [];
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}

module.exports = OneRealm;
