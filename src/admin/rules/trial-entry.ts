import { join } from 'node:path';

/** The file that a thread for trials runs. */
export const TRIAL_THREAD = join(__dirname, 'trial-thread.js');
