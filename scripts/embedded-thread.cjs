// What the embedded engine's thread runs where nothing is built: the source itself, compiled as it is loaded.
const { join } = require('node:path');
const { compileOnLoad } = require('./compile-on-load.cjs');

compileOnLoad();
require(join(__dirname, '..', 'src/database/embedded-thread.ts'));
