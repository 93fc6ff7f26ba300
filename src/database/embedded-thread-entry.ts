import { join } from 'node:path';

/** Whether this is the source itself, which a thread has to compile as it loads it: in tests, and in tools that are not built. */
const isSource = __filename.endsWith('.ts');

/** The file that the embedded engine's thread runs. */
export const EMBEDDED_THREAD = isSource
  ? join(__dirname, '..', '..', 'scripts', 'embedded-thread.cjs')
  : join(__dirname, 'embedded-thread.js');
