import { join } from 'node:path';

/** The file that a thread for trials runs, as it was written: a test builds nothing. */
export const TRIAL_THREAD = join(__dirname, 'trial-thread.cjs');
