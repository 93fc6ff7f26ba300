// Jest's module loader, one for all test files of a worker: what a file loads is there for the next.
const { default: Runtime } = require('jest-runtime');

/** The runtime of this worker, once a file has asked for it. */
let kept;

class OneRuntime extends Runtime {
  constructor(...options) {
    if (kept) {
      kept.begin(options);
      return kept;
    }
    super(...options);
    kept = this;
  }

  begin([, , , , cacheFS, , testPath]) {
    this._testPath = testPath;
    this.executor.testPath = testPath;
    this.esmLoader.testPath = testPath;
  }

  /** Forgets the file, and Jest's own modules, which hold it; keeps every other module. */
  teardown() {
    this.restoreAllMocks();
    this.registries.moduleRegistry.delete(this._testPath);
    this.registries.internalModuleRegistry.clear();
    this.testMainModule.reset();
    this.mockState.clear();
    this.jestGlobals.cachedEnvGlobals = undefined;
    this.transformCache.clear();
    // The text of every module, as it was read and as it was compiled: a tenth of a gigabyte that nobody reads again.
    this.transformCache.scriptTransformer._cache.transformedFiles.clear();
    this.fileCache.clear();
    this.testState.state = 'loading';
  }
}

module.exports = OneRuntime;
