// What a thread for trials runs in tests: the source itself, compiled as it is loaded.
const { join } = require('node:path');
const { compileOnLoad } = require('../../scripts/compile-on-load.cjs');

compileOnLoad();
require(join(__dirname, '..', '..', 'src/admin/rules/trial-thread.ts'));
